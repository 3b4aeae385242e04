# Turns a file into a C array: -DIN=file -DOUT=file.c -DNAME=identifier
file(READ ${IN} bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "((0x..,){16})" "\\1\n    " bytes "${bytes}")
file(WRITE ${OUT} "/* Made by the build from ${NAME}'s file. */
#include <stddef.h>
extern const unsigned char ${NAME}[];
extern const size_t ${NAME}_length;
const unsigned char ${NAME}[] = {
    ${bytes}0};
const size_t ${NAME}_length = sizeof ${NAME} - 1;
")
