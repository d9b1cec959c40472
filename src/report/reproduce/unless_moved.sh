case $before in
    '') from=none ;;
    0) from=0 ;;
    *) from=n ;;
esac
case $after in
    '') to=none ;;
    0) to=0 ;;
    "$before") to=n ;;
    *) if [ $from = n ]; then to=m; else to=n; fi ;;
esac
if [ "$from->$to" != '@@change@@' ]; then not_reproduced "$seen"; fi
