# Where the program finds its shared libraries, `cmake --install` and the relocatable tarball.
