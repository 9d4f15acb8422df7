# cmake -DROOT=FOLDER -DOUTPUT=FILE -P source-hash.cmake: a number for the sources that decide what runs give, as
# the C string source_hash. FILE is left alone where it is the same.
set(whole "")
foreach(layer ask base code cone data derive engine expr lang model native program sim solve)
  file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/src/${layer}/*.c ${ROOT}/src/${layer}/*.h ${ROOT}/src/${layer}/*.def)
  list(SORT files)
  foreach(file ${files})
    file(SHA256 ${ROOT}/${file} hash)
    string(APPEND whole "${file} ${hash}\n")
  endforeach()
endforeach()
string(SHA256 hash "${whole}")
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "static const char source_hash[] = \"${hash}\";\n")
