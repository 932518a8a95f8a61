# Decides whether the installed version satisfies find_package(agentsdisc VERSION). Before 1.0 every minor version may
# break programs, so only the same minor version matches; a version range (0.1...0.3) matches all versions in it. The
# version is read from the installed header.

file(STRINGS "${CMAKE_CURRENT_LIST_DIR}/../../../include/agentsdisc.h" _agentsdisc_lines REGEX "^#define AGD_VERSION_(MAJOR|MINOR|PATCH) [0-9]+$")
foreach(_agentsdisc_line IN LISTS _agentsdisc_lines)
    string(REGEX MATCH "VERSION_([A-Z]+) ([0-9]+)" _agentsdisc_line "${_agentsdisc_line}")
    set(_agentsdisc_${CMAKE_MATCH_1} "${CMAKE_MATCH_2}")
endforeach()
set(PACKAGE_VERSION "${_agentsdisc_MAJOR}.${_agentsdisc_MINOR}.${_agentsdisc_PATCH}")

set(PACKAGE_VERSION_COMPATIBLE FALSE)
if(PACKAGE_FIND_VERSION_RANGE)
    if(PACKAGE_VERSION VERSION_GREATER_EQUAL PACKAGE_FIND_VERSION_MIN
        AND (PACKAGE_VERSION VERSION_LESS PACKAGE_FIND_VERSION_MAX
            OR (PACKAGE_FIND_VERSION_RANGE_MAX STREQUAL "INCLUDE" AND PACKAGE_VERSION VERSION_EQUAL PACKAGE_FIND_VERSION_MAX)))
        set(PACKAGE_VERSION_COMPATIBLE TRUE)
    endif()
elseif(PACKAGE_VERSION VERSION_EQUAL PACKAGE_FIND_VERSION)
    set(PACKAGE_VERSION_EXACT TRUE)
    set(PACKAGE_VERSION_COMPATIBLE TRUE)
elseif(PACKAGE_VERSION VERSION_GREATER PACKAGE_FIND_VERSION AND PACKAGE_FIND_VERSION_MAJOR EQUAL _agentsdisc_MAJOR)
    if(_agentsdisc_MAJOR GREATER 0 OR PACKAGE_FIND_VERSION_MINOR EQUAL _agentsdisc_MINOR)
        set(PACKAGE_VERSION_COMPATIBLE TRUE)
    endif()
endif()

foreach(_agentsdisc_used IN ITEMS lines line MAJOR MINOR PATCH)
    unset(_agentsdisc_${_agentsdisc_used})
endforeach()
unset(_agentsdisc_used)
