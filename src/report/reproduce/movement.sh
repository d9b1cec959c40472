profile program
@@unless_right@@profile variant
before=$(count program @@line@@)
after=$(count variant @@line@@)
seen="@@place@@: reported ${before:-no count} in program.c and ${after:-no count} in variant.c, actual @@actual@@"
@@unless_moved@@reproduced "$seen"
