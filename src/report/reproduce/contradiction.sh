profile program
count=$(count program @@line@@)
case $count in
    @@before@@) reproduced "@@place@@: reported ${count:-no count}; the rest of the report implies @@implied@@" ;;
    @@after@@) not_reproduced "@@place@@: reported ${count:-no count}, which agrees with the rest of the report" ;;
esac
unknown "@@place@@: reported ${count:-no count}, which is neither the old count nor what the rest of the report implies"
