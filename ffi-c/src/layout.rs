//! The published layout of the C types: sizes and the offsets of last members, on 64-bit and 32-bit
//! systems. A struct grows only at its end, so a size never decreases and an offset never changes.
//! `ffi-c/abi` has the layout of the header as a C compiler sees it.
//!
//! The comparison happens at compile time: for the tests, and for any target with `RUSTFLAGS="--cfg
//! agentsdisc_layout"`.

use core::mem::{offset_of, size_of};

use crate as agd;

/// Name, size on 64 and on 32 bits, last member, and its offsets.
macro_rules! layout {
    ($($name:ident $size:literal $size_32:literal $last:ident $offset:literal $offset_32:literal,)*) => {$(
        const _: () = {
            let (size, offset) = if cfg!(target_pointer_width = "64") { ($size, $offset) } else { ($size_32, $offset_32) };
            assert!(size_of::<agd::$name>() == size, concat!("the size of ", stringify!($name)));
            assert!(offset_of!(agd::$name, $last) == offset, concat!("the offset of ", stringify!($name), ".", stringify!($last)));
        };
    )*};
}

layout! {
    agd_document 768 768 state 0 0,
    agd_texts 56 40 state 0 0,
    agd_members 56 40 state 0 0,
    agd_access 176 124 metadata 120 84,
    agd_permissions 232 164 behavior 176 124,
    agd_text 24 12 flags 16 8,
    agd_choice 32 16 text 8 4,
    agd_adp_auth 96 52 is_prefix_written 92 48,
    agd_header 16 8 value 8 4,
    agd_value 32 16 text 8 4,
    agd_argument 56 28 value 24 12,
    agd_adp_options 64 40 reserved 60 36,
    agd_headers 32 16 state 0 0,
    agd_adp_call 104 52 argument 96 48,
    agd_applied_limits 768 768 state 0 0,
    agd_decision_state 1536 1536 state 0 0,
    agd_decision 2184 1952 reserved4 2176 1948,
    agd_applied_limit 64 56 capability 40 40,
    agd_words 256 256 state 0 0,
    agd_workspace 10240 10240 state 0 0,
    agd_agents 56 40 state 0 0,
    agd_rate_limits 56 40 state 0 0,
    agd_agent 256 164 source 232 152,
    agd_agents_md 1024 1024 state 0 0,
    agd_entry 72 44 marker 48 32,
    agd_awp_features 48 32 pagination 24 20,
    agd_capabilities 56 40 state 0 0,
    agd_parameters 56 40 state 0 0,
    agd_outputs 56 40 state 0 0,
    agd_capability 920 556 source 896 544,
    agd_rate_limit 104 68 metadata 48 28,
    agd_output 64 32 r#type 32 16,
    agd_convert_options 40 24 loosen 36 20,
    agd_loss_state 192 192 state 0 0,
    agd_loss 256 232 path 64 40,
    agd_change 80 44 reserved 76 40,
    agd_options 88 48 content_type 64 36,
    agd_links 64 64 state 0 0,
    agd_link 80 48 kind 72 40,
    agd_detection_state 64 64 state 0 0,
    agd_detection 96 96 evidence 32 32,
    agd_check_options 56 28 scratch_length 48 24,
    agd_diagnostic_state 160 160 state 0 0,
    agd_diagnostic 272 224 message 112 64,
    agd_counts 24 12 infos 16 8,
    agd_diagnostics 1024 1024 state 0 0,
    agd_difference 120 64 second_end 112 60,
    agd_discovery 20480 20480 state 0 0,
    agd_discovery_options 48 32 max_robots 40 28,
    agd_discovery_request 80 48 reserved 76 44,
    agd_freshness 32 32 may_store 28 28,
    agd_stored 144 96 last_modified 120 84,
    agd_http_header 48 24 value 24 12,
    agd_discovery_answer 872 848 last_modified 848 836,
    agd_discovery_response 96 56 now 88 48,
    agd_attempt 136 104 freshness 104 72,
    agd_error 64 40 reserved 32 24,
    agd_head 216 120 response_example 184 100,
    agd_flows 56 40 state 0 0,
    agd_flow 168 108 metadata 112 68,
    agd_dependencies 56 40 state 0 0,
    agd_dependency 88 56 required 32 16,
    agd_entities 56 40 state 0 0,
    agd_entity 144 96 metadata 88 56,
    agd_recoveries 56 40 state 0 0,
    agd_recovery 112 68 metadata 56 28,
    agd_plans 56 40 state 0 0,
    agd_plan 136 80 metadata 80 40,
    agd_service_status 152 100 metadata 96 60,
    agd_pricing 176 112 metadata 120 72,
    agd_session 120 80 metadata 64 40,
    agd_audit 96 60 metadata 40 20,
    agd_values 56 40 state 0 0,
    agd_parameter 416 232 source 392 220,
    agd_robots 96 96 state 0 0,
    agd_request 216 112 content_usage 192 100,
    agd_robots_groups 56 40 state 0 0,
    agd_robots_rules 56 40 state 0 0,
    agd_robots_group 144 96 crawl_delay 120 84,
    agd_robots_rule 40 20 pattern 16 8,
    agd_search_results 56 40 state 0 0,
    agd_search_result 344 208 capabilities 288 168,
    agd_robots_decision 80 56 crawl_delay_ms 72 48,
    agd_robots_delay 64 48 reserved 60 40,
    agd_robots_stance 88 52 end 80 48,
    agd_robots_preferences 56 40 state 0 0,
    agd_robots_preference 136 72 source 104 56,
    agd_robots_fields 56 40 state 0 0,
    agd_robots_field 56 28 value 32 16,
    agd_endpoints 56 40 state 0 0,
    agd_endpoint 208 116 extra 152 76,
    agd_service 288 168 source 264 156,
    agd_provenance 120 60 last_verified 96 48,
    agd_service_auth 440 272 metadata 384 232,
    agd_type_options 128 128 state 0 0,
    agd_type 240 192 options 112 64,
    agd_url 176 100 reserved 172 96,
    agd_member 56 28 value 24 12,
    agd_json_members 56 40 state 0 0,
    agd_json_elements 56 40 state 0 0,
}
