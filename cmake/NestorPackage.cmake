# What `cmake --install` puts where, and the package that find_package(Nestor)
# finds. Component "development": libraries, headers, package; component "tools":
# the tools, the plugin and the default weights.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Nestor)
set(libraries NestorDialect NestorAnalysis NestorSchedule NestorFeatures NestorCost
  NestorModelDoor NestorSearch NestorExecution NestorTransforms)
foreach(library ${libraries})
  target_compile_features(${library} PUBLIC cxx_std_17)
  target_include_directories(${library}
    PUBLIC $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endforeach()
install(TARGETS ${libraries} EXPORT NestorTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(EXPORT NestorTargets NAMESPACE Nestor:: DESTINATION ${package_dir}
  COMPONENT development)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/nestor ${CMAKE_BINARY_DIR}/include/nestor
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development
  FILES_MATCHING PATTERN "*.h" PATTERN "*.td" PATTERN "*.h.inc"
  PATTERN CMakeFiles EXCLUDE)

configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/NestorConfig.cmake.in
  ${CMAKE_BINARY_DIR}/NestorConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/NestorConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/NestorConfig.cmake
  ${CMAKE_BINARY_DIR}/NestorConfigVersion.cmake
  DESTINATION ${package_dir} COMPONENT development)

foreach(tool nestor-opt nestor-measure nestor-data nestor-train NestorPlugin NestorModel)
  if(TARGET ${tool})
    install(TARGETS ${tool}
      RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tools
      LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT tools)
  endif()
endforeach()
install(DIRECTORY ${CMAKE_SOURCE_DIR}/data/weights/default
  DESTINATION ${CMAKE_INSTALL_DATADIR}/nestor COMPONENT tools)
