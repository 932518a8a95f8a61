# find_package(agentsdisc): what a program needs to link libagentsdisc. Linux and macOS.
#
#     find_package(agentsdisc 0.1 REQUIRED)
#     target_link_libraries(program PRIVATE agentsdisc::agentsdisc)
#
# Targets:
#   agentsdisc::shared        the shared library, if it is installed
#   agentsdisc::static        the static library, if it is installed
#   agentsdisc::agentsdisc    the shared library; the static one if agentsdisc_USE_STATIC_LIBS is on or only that is installed
#
# Components: shared, static. To require one of them: find_package(agentsdisc 0.1 REQUIRED COMPONENTS static).
#
# Installed as PREFIX/share/cmake/agentsdisc. Paths are relative to this file, so PREFIX can be moved.

get_filename_component(_agentsdisc_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(_agentsdisc_include "${_agentsdisc_prefix}/include")

set(_agentsdisc_folders lib64 lib)
if(CMAKE_LIBRARY_ARCHITECTURE)
    list(INSERT _agentsdisc_folders 0 "lib/${CMAKE_LIBRARY_ARCHITECTURE}")
endif()

# System libraries that the static library needs.
if(APPLE)
    set(_agentsdisc_system iconv System m)
else()
    set(_agentsdisc_system pthread dl m)
endif()

foreach(_agentsdisc_kind IN ITEMS shared static)
    string(TOUPPER "${_agentsdisc_kind}" _agentsdisc_upper)
    set(_agentsdisc_name "${CMAKE_${_agentsdisc_upper}_LIBRARY_PREFIX}agentsdisc${CMAKE_${_agentsdisc_upper}_LIBRARY_SUFFIX}")
    unset(_agentsdisc_library)
    foreach(_agentsdisc_folder IN LISTS _agentsdisc_folders)
        if(NOT _agentsdisc_library AND EXISTS "${_agentsdisc_prefix}/${_agentsdisc_folder}/${_agentsdisc_name}")
            set(_agentsdisc_library "${_agentsdisc_prefix}/${_agentsdisc_folder}/${_agentsdisc_name}")
        endif()
    endforeach()
    if(NOT _agentsdisc_library)
        # Installed with a --libdir of its own.
        file(GLOB _agentsdisc_others "${_agentsdisc_prefix}/lib*/${_agentsdisc_name}" "${_agentsdisc_prefix}/lib*/*/${_agentsdisc_name}")
        foreach(_agentsdisc_other IN LISTS _agentsdisc_others)
            set(_agentsdisc_library "${_agentsdisc_other}")
        endforeach()
    endif()
    if(_agentsdisc_library AND NOT TARGET agentsdisc::${_agentsdisc_kind})
        add_library(agentsdisc::${_agentsdisc_kind} ${_agentsdisc_upper} IMPORTED)
        set_target_properties(agentsdisc::${_agentsdisc_kind} PROPERTIES
            IMPORTED_LOCATION "${_agentsdisc_library}"
            INTERFACE_INCLUDE_DIRECTORIES "${_agentsdisc_include}")
        if(_agentsdisc_kind STREQUAL "static")
            set_target_properties(agentsdisc::static PROPERTIES INTERFACE_LINK_LIBRARIES "${_agentsdisc_system}")
        endif()
    endif()
endforeach()

if(NOT TARGET agentsdisc::agentsdisc)
    if(TARGET agentsdisc::static AND (agentsdisc_USE_STATIC_LIBS OR NOT TARGET agentsdisc::shared))
        set(_agentsdisc_kind static)
    elseif(TARGET agentsdisc::shared AND NOT agentsdisc_USE_STATIC_LIBS)
        set(_agentsdisc_kind shared)
    else()
        set(_agentsdisc_kind "")
    endif()
    if(_agentsdisc_kind)
        add_library(agentsdisc::agentsdisc INTERFACE IMPORTED)
        set_target_properties(agentsdisc::agentsdisc PROPERTIES INTERFACE_LINK_LIBRARIES agentsdisc::${_agentsdisc_kind})
    endif()
endif()

if(NOT TARGET agentsdisc::agentsdisc)
    set(agentsdisc_FOUND FALSE)
    set(agentsdisc_NOT_FOUND_MESSAGE "libagentsdisc is not installed in ${_agentsdisc_prefix} (folders: ${_agentsdisc_folders})")
endif()

foreach(_agentsdisc_kind IN LISTS agentsdisc_FIND_COMPONENTS)
    if(TARGET agentsdisc::${_agentsdisc_kind})
        set(agentsdisc_${_agentsdisc_kind}_FOUND TRUE)
    else()
        set(agentsdisc_${_agentsdisc_kind}_FOUND FALSE)
        if(agentsdisc_FIND_REQUIRED_${_agentsdisc_kind})
            set(agentsdisc_FOUND FALSE)
            set(agentsdisc_NOT_FOUND_MESSAGE "the component ${_agentsdisc_kind} is not installed in ${_agentsdisc_prefix} (folders: ${_agentsdisc_folders})")
        endif()
    endif()
endforeach()

foreach(_agentsdisc_used IN ITEMS prefix include folders folder system kind upper name library others other)
    unset(_agentsdisc_${_agentsdisc_used})
endforeach()
unset(_agentsdisc_used)
