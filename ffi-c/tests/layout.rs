//! The layout of what C sees, on 64-bit systems: sizes and the offsets of last members. What stands here was published; a struct grows at its
//! end only, so a number here never becomes less, and an offset never changes.

#![cfg(target_pointer_width = "64")]

use std::mem::{offset_of, size_of};

use agentsdisc as agd;

#[test]
fn structs_keep_their_layout() {
    macro_rules! layout {
        ($($name:ident $size:literal $last:ident $offset:literal,)*) => {$(
            assert_eq!(
                (size_of::<agd::$name>(), offset_of!(agd::$name, $last)),
                ($size, $offset),
                concat!(stringify!($name), ": size, and offset of ", stringify!($last))
            );
        )*};
    }
    layout! {
        agd_document 512 state 0,
        agd_text 24 flags 16,
        agd_choice 32 text 8,
        agd_value 32 text 8,
        agd_member 56 value 24,
        agd_capabilities 56 state 0,
        agd_json_members 56 state 0,
        agd_error 64 reserved 32,
        agd_counts 24 infos 16,
        agd_options 88 content_type 64,
        agd_head 216 response_example 184,
        agd_service 288 source 264,
        agd_provenance 120 last_verified 96,
        agd_service_auth 440 metadata 384,
        agd_endpoint 208 extra 152,
        agd_capability 920 source 896,
        agd_rate_limit 104 metadata 48,
        agd_parameter 416 source 392,
        agd_output 64 r#type 32,
        agd_agent 256 source 232,
        agd_access 176 metadata 120,
        agd_permissions 176 behavior 120,
        agd_flow 168 metadata 112,
        agd_dependency 88 required 32,
        agd_entity 144 metadata 88,
        agd_recovery 112 metadata 56,
        agd_service_status 152 metadata 96,
        agd_pricing 176 metadata 120,
        agd_plan 136 metadata 80,
        agd_session 120 metadata 64,
        agd_audit 96 metadata 40,
        agd_robots_group 144 crawl_delay 120,
        agd_robots_rule 40 pattern 16,
        agd_search_result 344 capabilities 288,
        agd_detection 96 evidence 32,
        agd_diagnostic 272 message 112,
        agd_robots 96 state 0,
        agd_robots_decision 80 crawl_delay_ms 72,
        agd_robots_delay 64 reserved 60,
        agd_awp_features 48 pagination 24,
        agd_adp_auth 96 is_prefix_written 92,
        agd_header 16 value 8,
        agd_discovery 20480 state 0,
        agd_discovery_options 48 max_robots 40,
        agd_discovery_request 80 reserved 76,
        agd_freshness 32 may_store 28,
        agd_stored 144 last_modified 120,
        agd_http_header 48 value 24,
        agd_discovery_answer 616 last_modified 592,
        agd_discovery_response 96 now 88,
        agd_attempt 136 freshness 104,
        agd_check_options 56 scratch_length 48,
        agd_request 168 reserved 164,
        agd_decision_state 1536 state 0,
        agd_decision 2080 sensitivity 2048,
        agd_applied_limit 64 capability 40,
        agd_applied_limits 768 state 0,
        agd_words 256 state 0,
        agd_convert_options 40 loosen 36,
        agd_loss 256 path 64,
        agd_change 80 reserved 76,
    }
}
