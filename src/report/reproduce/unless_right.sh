count=$(count program @@line@@)
case $count in
    '') not_reproduced '@@place@@ has no count, which makes no claim; actual @@actual@@' ;;
    @@counts@@) not_reproduced "@@place@@: reported $count, which is right" ;;
esac
