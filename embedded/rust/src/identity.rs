//! A request of the published examples, verified by all rules. The cryptography is the program's, and
//! left out here.

use agentsdisc_core::identity::{
    Claim, Header, Message, Options, PublicKey, Reason, Site, Verdict,
};
use agentsdisc_core::{Document, Format, Limits, format::signature_directory::SignatureDirectory};

use crate::calls;
use crate::terminal::{Terminal, line};

const KEYS: &[u8] =
    br#"{"keys":[{"kty":"OKP","crv":"Ed25519","x":"JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs"}]}"#;
const INPUT: &str = "sig2=(\"@authority\" \"signature-agent\";key=\"agent2\");created=1735689600;keyid=\"poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U\";alg=\"ed25519\";expires=4889289600;nonce=\"n9p433xm+NJ3ph3upfBIGmsuwHw387YV7Q/F+6BSpGCVjYCqQw6rznNA8PVVLySrAWsv0hQtFioQb6E1YsauiA==\";tag=\"web-bot-auth\"";
const SIGNATURE: &str = "sig2=:RdNFx5Bj6au3YgAMQL/RzmUlZE8QZLIaXGRpw985hWnwPfMxT228NMk6ehRS1PSl4e8PhbNZACSanGdhEwYCCg==:";

struct Known(Option<SignatureDirectory<'static>>);

impl Site<'static> for Known {
    fn keys(&mut self, _: &Claim<'_>, _: &[u8]) -> Result<SignatureDirectory<'static>, Reason> {
        self.0.ok_or(Reason::DirectoryInvalid)
    }

    fn fits(&mut self, _: &PublicKey<'static>, base: &[u8], signature: &[u8]) -> bool {
        core::hint::black_box((base.len(), signature.len())) == (363, 64)
    }

    fn accepts_examples(&self) -> bool {
        true
    }
}

pub(crate) fn print(terminal: &mut impl Terminal) {
    let headers = core::hint::black_box([
        Header::new("Signature-Agent", "agent2=\"https://signature-agent.test\""),
        Header::new("Signature-Input", INPUT),
        Header::new("Signature", SIGNATURE),
    ]);
    let message = Message::new(b"GET", b"https://example.com/path/to/resource", &headers);
    let options = Options::at(1_735_689_601);
    let mut memory = [0; 1024];
    terminal.begin();
    let document = Document::parse_as(KEYS, Format::SignatureDirectory, &Limits::DEFAULT).ok();
    let mut site = Known(document.and_then(|document| document.signature_directory()));
    let verdict = calls::verify(&message, &options, &mut memory, &mut site);
    terminal.end("verify");
    let is_valid = matches!(verdict, Ok(Verdict { reason: Reason::Valid, .. }));
    line(terminal, &["signed: "], Some(u32::from(is_valid)));
}
