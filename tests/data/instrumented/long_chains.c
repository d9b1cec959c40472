int printf(const char *, ...);
static int chosen(int n) // 3
{
    if (n == 0) // 3
        return 0; // 0
    else if (n == 1) // 3
        return 2; // 1
    else if (n == 2) // 2
        return 4; // 0
    else if (n == 3) // 2
        return 6; // 0
    else if (n == 4) // 2
        return 8; // 0
    else if (n == 5) // 2
        return 10; // 0
    else if (n == 6) // 2
        return 12; // 0
    else if (n == 7) // 2
        return 14; // 0
    else if (n == 8) // 2
        return 16; // 0
    else if (n == 9) // 2
        return 18; // 0
    else if (n == 10) // 2
        return 20; // 0
    else if (n == 11) // 2
        return 22; // 0
    else if (n == 12) // 2
        return 24; // 0
    else if (n == 13) // 2
        return 26; // 0
    else if (n == 14) // 2
        return 28; // 0
    else if (n == 15) // 2
        return 30; // 0
    else if (n == 16) // 2
        return 32; // 0
    else if (n == 17) // 2
        return 34; // 0
    else if (n == 18) // 2
        return 36; // 0
    else if (n == 19) // 2
        return 38; // 0
    else if (n == 20) // 2
        return 40; // 0
    else if (n == 21) // 2
        return 42; // 0
    else if (n == 22) // 2
        return 44; // 0
    else if (n == 23) // 2
        return 46; // 0
    else if (n == 24) // 2
        return 48; // 0
    else if (n == 25) // 2
        return 50; // 0
    else if (n == 26) // 2
        return 52; // 0
    else if (n == 27) // 2
        return 54; // 0
    else if (n == 28) // 2
        return 56; // 0
    else if (n == 29) // 2
        return 58; // 0
    else if (n == 30) // 2
        return 60; // 0
    else if (n == 31) // 2
        return 62; // 0
    else if (n == 32) // 2
        return 64; // 0
    else if (n == 33) // 2
        return 66; // 0
    else if (n == 34) // 2
        return 68; // 0
    else if (n == 35) // 2
        return 70; // 0
    else if (n == 36) // 2
        return 72; // 0
    else if (n == 37) // 2
        return 74; // 0
    else if (n == 38) // 2
        return 76; // 0
    else if (n == 39) // 2
        return 78; // 0
    else if (n == 40) // 2
        return 80; // 0
    else if (n == 41) // 2
        return 82; // 0
    else if (n == 42) // 2
        return 84; // 0
    else if (n == 43) // 2
        return 86; // 0
    else if (n == 44) // 2
        return 88; // 0
    else if (n == 45) // 2
        return 90; // 0
    else if (n == 46) // 2
        return 92; // 0
    else if (n == 47) // 2
        return 94; // 0
    else if (n == 48) // 2
        return 96; // 0
    else if (n == 49) // 2
        return 98; // 0
    else if (n == 50) // 2
        return 100; // 0
    else if (n == 51) // 2
        return 102; // 0
    else if (n == 52) // 2
        return 104; // 0
    else if (n == 53) // 2
        return 106; // 0
    else if (n == 54) // 2
        return 108; // 0
    else if (n == 55) // 2
        return 110; // 0
    else if (n == 56) // 2
        return 112; // 0
    else if (n == 57) // 2
        return 114; // 0
    else if (n == 58) // 2
        return 116; // 0
    else if (n == 59) // 2
        return 118; // 0
    else if (n == 60) // 2
        return 120; // 0
    else if (n == 61) // 2
        return 122; // 0
    else if (n == 62) // 2
        return 124; // 0
    else if (n == 63) // 2
        return 126; // 0
    else if (n == 64) // 2
        return 128; // 0
    else if (n == 65) // 2
        return 130; // 0
    else if (n == 66) // 2
        return 132; // 0
    else if (n == 67) // 2
        return 134; // 0
    else if (n == 68) // 2
        return 136; // 0
    else if (n == 69) // 2
        return 138; // 0
    else if (n == 70) // 2
        return 140; // 0
    else if (n == 71) // 2
        return 142; // 0
    else if (n == 72) // 2
        return 144; // 0
    else if (n == 73) // 2
        return 146; // 0
    else if (n == 74) // 2
        return 148; // 0
    else if (n == 75) // 2
        return 150; // 0
    else if (n == 76) // 2
        return 152; // 0
    else if (n == 77) // 2
        return 154; // 0
    else if (n == 78) // 2
        return 156; // 0
    else if (n == 79) // 2
        return 158; // 0
    else if (n == 80) // 2
        return 160; // 0
    else if (n == 81) // 2
        return 162; // 0
    else if (n == 82) // 2
        return 164; // 0
    else if (n == 83) // 2
        return 166; // 0
    else if (n == 84) // 2
        return 168; // 0
    else if (n == 85) // 2
        return 170; // 0
    else if (n == 86) // 2
        return 172; // 0
    else if (n == 87) // 2
        return 174; // 0
    else if (n == 88) // 2
        return 176; // 0
    else if (n == 89) // 2
        return 178; // 0
    else if (n == 90) // 2
        return 180; // 0
    else if (n == 91) // 2
        return 182; // 0
    else if (n == 92) // 2
        return 184; // 0
    else if (n == 93) // 2
        return 186; // 0
    else if (n == 94) // 2
        return 188; // 0
    else if (n == 95) // 2
        return 190; // 0
    else if (n == 96) // 2
        return 192; // 0
    else if (n == 97) // 2
        return 194; // 0
    else if (n == 98) // 2
        return 196; // 0
    else if (n == 99) // 2
        return 198; // 0
    else if (n == 100) // 2
        return 200; // 0
    else if (n == 101) // 2
        return 202; // 0
    else if (n == 102) // 2
        return 204; // 0
    else if (n == 103) // 2
        return 206; // 0
    else if (n == 104) // 2
        return 208; // 0
    else if (n == 105) // 2
        return 210; // 0
    else if (n == 106) // 2
        return 212; // 0
    else if (n == 107) // 2
        return 214; // 0
    else if (n == 108) // 2
        return 216; // 0
    else if (n == 109) // 2
        return 218; // 0
    else if (n == 110) // 2
        return 220; // 0
    else if (n == 111) // 2
        return 222; // 0
    else if (n == 112) // 2
        return 224; // 0
    else if (n == 113) // 2
        return 226; // 0
    else if (n == 114) // 2
        return 228; // 0
    else if (n == 115) // 2
        return 230; // 0
    else if (n == 116) // 2
        return 232; // 0
    else if (n == 117) // 2
        return 234; // 0
    else if (n == 118) // 2
        return 236; // 0
    else if (n == 119) // 2
        return 238; // 0
    else if (n == 120) // 2
        return 240; // 0
    else if (n == 121) // 2
        return 242; // 0
    else if (n == 122) // 2
        return 244; // 0
    else if (n == 123) // 2
        return 246; // 0
    else if (n == 124) // 2
        return 248; // 0
    else if (n == 125) // 2
        return 250; // 0
    else if (n == 126) // 2
        return 252; // 0
    else if (n == 127) // 2
        return 254; // 0
    else if (n == 128) // 2
        return 256; // 0
    else if (n == 129) // 2
        return 258; // 0
    else if (n == 130) // 2
        return 260; // 0
    else if (n == 131) // 2
        return 262; // 0
    else if (n == 132) // 2
        return 264; // 0
    else if (n == 133) // 2
        return 266; // 0
    else if (n == 134) // 2
        return 268; // 0
    else if (n == 135) // 2
        return 270; // 0
    else if (n == 136) // 2
        return 272; // 0
    else if (n == 137) // 2
        return 274; // 0
    else if (n == 138) // 2
        return 276; // 0
    else if (n == 139) // 2
        return 278; // 0
    else if (n == 140) // 2
        return 280; // 0
    else if (n == 141) // 2
        return 282; // 0
    else if (n == 142) // 2
        return 284; // 0
    else if (n == 143) // 2
        return 286; // 0
    else if (n == 144) // 2
        return 288; // 0
    else if (n == 145) // 2
        return 290; // 0
    else if (n == 146) // 2
        return 292; // 0
    else if (n == 147) // 2
        return 294; // 0
    else if (n == 148) // 2
        return 296; // 0
    else if (n == 149) // 2
        return 298; // 0
    else if (n == 150) // 2
        return 300; // 1
    else if (n == 151) // 1
        return 302; // 0
    else if (n == 152) // 1
        return 304; // 0
    else if (n == 153) // 1
        return 306; // 0
    else if (n == 154) // 1
        return 308; // 0
    else if (n == 155) // 1
        return 310; // 0
    else if (n == 156) // 1
        return 312; // 0
    else if (n == 157) // 1
        return 314; // 0
    else if (n == 158) // 1
        return 316; // 0
    else if (n == 159) // 1
        return 318; // 0
    else if (n == 160) // 1
        return 320; // 0
    else if (n == 161) // 1
        return 322; // 0
    else if (n == 162) // 1
        return 324; // 0
    else if (n == 163) // 1
        return 326; // 0
    else if (n == 164) // 1
        return 328; // 0
    else if (n == 165) // 1
        return 330; // 0
    else if (n == 166) // 1
        return 332; // 0
    else if (n == 167) // 1
        return 334; // 0
    else if (n == 168) // 1
        return 336; // 0
    else if (n == 169) // 1
        return 338; // 0
    else if (n == 170) // 1
        return 340; // 0
    else if (n == 171) // 1
        return 342; // 0
    else if (n == 172) // 1
        return 344; // 0
    else if (n == 173) // 1
        return 346; // 0
    else if (n == 174) // 1
        return 348; // 0
    else if (n == 175) // 1
        return 350; // 0
    else if (n == 176) // 1
        return 352; // 0
    else if (n == 177) // 1
        return 354; // 0
    else if (n == 178) // 1
        return 356; // 0
    else if (n == 179) // 1
        return 358; // 0
    else if (n == 180) // 1
        return 360; // 0
    else if (n == 181) // 1
        return 362; // 0
    else if (n == 182) // 1
        return 364; // 0
    else if (n == 183) // 1
        return 366; // 0
    else if (n == 184) // 1
        return 368; // 0
    else if (n == 185) // 1
        return 370; // 0
    else if (n == 186) // 1
        return 372; // 0
    else if (n == 187) // 1
        return 374; // 0
    else if (n == 188) // 1
        return 376; // 0
    else if (n == 189) // 1
        return 378; // 0
    else if (n == 190) // 1
        return 380; // 0
    else if (n == 191) // 1
        return 382; // 0
    else if (n == 192) // 1
        return 384; // 0
    else if (n == 193) // 1
        return 386; // 0
    else if (n == 194) // 1
        return 388; // 0
    else if (n == 195) // 1
        return 390; // 0
    else if (n == 196) // 1
        return 392; // 0
    else if (n == 197) // 1
        return 394; // 0
    else if (n == 198) // 1
        return 396; // 0
    else if (n == 199) // 1
        return 398; // 0
    else if (n == 200) // 1
        return 400; // 0
    else if (n == 201) // 1
        return 402; // 0
    else if (n == 202) // 1
        return 404; // 0
    else if (n == 203) // 1
        return 406; // 0
    else if (n == 204) // 1
        return 408; // 0
    else if (n == 205) // 1
        return 410; // 0
    else if (n == 206) // 1
        return 412; // 0
    else if (n == 207) // 1
        return 414; // 0
    else if (n == 208) // 1
        return 416; // 0
    else if (n == 209) // 1
        return 418; // 0
    else if (n == 210) // 1
        return 420; // 0
    else if (n == 211) // 1
        return 422; // 0
    else if (n == 212) // 1
        return 424; // 0
    else if (n == 213) // 1
        return 426; // 0
    else if (n == 214) // 1
        return 428; // 0
    else if (n == 215) // 1
        return 430; // 0
    else if (n == 216) // 1
        return 432; // 0
    else if (n == 217) // 1
        return 434; // 0
    else if (n == 218) // 1
        return 436; // 0
    else if (n == 219) // 1
        return 438; // 0
    else if (n == 220) // 1
        return 440; // 0
    else if (n == 221) // 1
        return 442; // 0
    else if (n == 222) // 1
        return 444; // 0
    else if (n == 223) // 1
        return 446; // 0
    else if (n == 224) // 1
        return 448; // 0
    else if (n == 225) // 1
        return 450; // 0
    else if (n == 226) // 1
        return 452; // 0
    else if (n == 227) // 1
        return 454; // 0
    else if (n == 228) // 1
        return 456; // 0
    else if (n == 229) // 1
        return 458; // 0
    else if (n == 230) // 1
        return 460; // 0
    else if (n == 231) // 1
        return 462; // 0
    else if (n == 232) // 1
        return 464; // 0
    else if (n == 233) // 1
        return 466; // 0
    else if (n == 234) // 1
        return 468; // 0
    else if (n == 235) // 1
        return 470; // 0
    else if (n == 236) // 1
        return 472; // 0
    else if (n == 237) // 1
        return 474; // 0
    else if (n == 238) // 1
        return 476; // 0
    else if (n == 239) // 1
        return 478; // 0
    else if (n == 240) // 1
        return 480; // 0
    else if (n == 241) // 1
        return 482; // 0
    else if (n == 242) // 1
        return 484; // 0
    else if (n == 243) // 1
        return 486; // 0
    else if (n == 244) // 1
        return 488; // 0
    else if (n == 245) // 1
        return 490; // 0
    else if (n == 246) // 1
        return 492; // 0
    else if (n == 247) // 1
        return 494; // 0
    else if (n == 248) // 1
        return 496; // 0
    else if (n == 249) // 1
        return 498; // 0
    else if (n == 250) // 1
        return 500; // 0
    else if (n == 251) // 1
        return 502; // 0
    else if (n == 252) // 1
        return 504; // 0
    else if (n == 253) // 1
        return 506; // 0
    else if (n == 254) // 1
        return 508; // 0
    else if (n == 255) // 1
        return 510; // 0
    else if (n == 256) // 1
        return 512; // 0
    else if (n == 257) // 1
        return 514; // 0
    else if (n == 258) // 1
        return 516; // 0
    else if (n == 259) // 1
        return 518; // 0
    else if (n == 260) // 1
        return 520; // 0
    else if (n == 261) // 1
        return 522; // 0
    else if (n == 262) // 1
        return 524; // 0
    else if (n == 263) // 1
        return 526; // 0
    else if (n == 264) // 1
        return 528; // 0
    else if (n == 265) // 1
        return 530; // 0
    else if (n == 266) // 1
        return 532; // 0
    else if (n == 267) // 1
        return 534; // 0
    else if (n == 268) // 1
        return 536; // 0
    else if (n == 269) // 1
        return 538; // 0
    else if (n == 270) // 1
        return 540; // 0
    else if (n == 271) // 1
        return 542; // 0
    else if (n == 272) // 1
        return 544; // 0
    else if (n == 273) // 1
        return 546; // 0
    else if (n == 274) // 1
        return 548; // 0
    else if (n == 275) // 1
        return 550; // 0
    else if (n == 276) // 1
        return 552; // 0
    else if (n == 277) // 1
        return 554; // 0
    else if (n == 278) // 1
        return 556; // 0
    else if (n == 279) // 1
        return 558; // 0
    else if (n == 280) // 1
        return 560; // 0
    else if (n == 281) // 1
        return 562; // 0
    else if (n == 282) // 1
        return 564; // 0
    else if (n == 283) // 1
        return 566; // 0
    else if (n == 284) // 1
        return 568; // 0
    else if (n == 285) // 1
        return 570; // 0
    else if (n == 286) // 1
        return 572; // 0
    else if (n == 287) // 1
        return 574; // 0
    else if (n == 288) // 1
        return 576; // 0
    else if (n == 289) // 1
        return 578; // 0
    else if (n == 290) // 1
        return 580; // 0
    else if (n == 291) // 1
        return 582; // 0
    else if (n == 292) // 1
        return 584; // 0
    else if (n == 293) // 1
        return 586; // 0
    else if (n == 294) // 1
        return 588; // 0
    else if (n == 295) // 1
        return 590; // 0
    else if (n == 296) // 1
        return 592; // 0
    else if (n == 297) // 1
        return 594; // 0
    else if (n == 298) // 1
        return 596; // 0
    else if (n == 299) // 1
        return 598; // 1
    return -1; // 0
}
int main(void) // 1
{
    int a = 1; // 1
    int all = a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a // 1
              && a; // 1
    int sum = a // 1
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a
              + a;
    return !(printf("%d\n", chosen(1) + chosen(150) + chosen(299)) > 0 && all && sum == 302); // 1
}
