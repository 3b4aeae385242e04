# Writes the table of experiments from the file names in bench/.
#   cmake -DNAMES="divergence;gemm" -DOUT=experiment_table.c -P experiment_table.cmake
set(declarations "")
set(rows "")
foreach(name IN LISTS NAMES)
  string(APPEND declarations "extern const struct experiment experiment_${name};\n")
  string(APPEND rows "    &experiment_${name},\n")
endforeach()
file(CONFIGURE OUTPUT ${OUT} CONTENT
"/* Made by the build from the file names in bench/. */
#include \"harness/measure/experiment.h\"

${declarations}
const struct experiment *const experiments[] = {
${rows}    0,
};
" @ONLY)
