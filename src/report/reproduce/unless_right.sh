count=$(count program @@line@@)
case $count in
    '') @@none@@ ;;
    @@counts@@) not_reproduced "@@place@@: reported $count, which is right" ;;
esac
