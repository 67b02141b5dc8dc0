// Carries the precompiled header; see cmake/NestorLibrary.cmake.
