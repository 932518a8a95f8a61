//! The content of a document: an invented site and its operations.
//!
//! Lengths and counts are those of published documents (median, with the tenth and ninetieth
//! percentile in brackets): descriptions of operations 42 (30, 74) characters, of parameters 20
//! (14, 47), 2 (1, 5) parameters per operation, names of operations 15 (12, 23) and of parameters 8
//! (5, 13) characters. `wordy` selects the longer descriptions of the Internet-Draft's own
//! examples.

use crate::rng::Rng;

const FIRST: &[&str] = &[
    "Amber", "Birch", "Cobalt", "Dune", "Ember", "Fjord", "Granite", "Harbor", "Indigo", "Juniper",
    "Kestrel", "Lantern", "Meadow", "Nimbus",
];
const SECOND: &[&str] = &[
    "Books", "Cargo", "Clinic", "Desk", "Farms", "Freight", "Goods", "Ledger", "Market", "Parts",
    "Rooms", "Tickets", "Tools", "Travel",
];
const SENTENCES: &[&str] = &[
    "Sells spare parts for old machines, and ships them within a day.",
    "Rooms and small halls to rent by the hour in forty towns.",
    "Keeps the accounts of small firms and answers their questions.",
    "Freight quotes, bookings and tracking for carriers on the northern routes.",
    "Tickets for theatres, with seats held for fifteen minutes.",
    "Every order can be followed from the shelf to the door.",
    "Prices include taxes; amounts are whole numbers of the smallest coin.",
    "Lists come in pages of at most one hundred entries.",
];

/// The objects of operations: singular, plural.
const NOUNS: &[(&str, &str)] = &[
    ("order", "orders"),
    ("invoice", "invoices"),
    ("shipment", "shipments"),
    ("room", "rooms"),
    ("booking", "bookings"),
    ("customer", "customers"),
    ("product", "products"),
    ("ticket", "tickets"),
    ("payment", "payments"),
    ("refund", "refunds"),
    ("coupon", "coupons"),
    ("address", "addresses"),
    ("message", "messages"),
    ("review", "reviews"),
    ("price list", "price lists"),
    ("warehouse", "warehouses"),
    ("return slip", "return slips"),
    ("subscription", "subscriptions"),
    ("gift card", "gift cards"),
    ("stock count", "stock counts"),
    ("webhook", "webhooks"),
    ("report", "reports"),
];

/// The operations: verb, whether it applies to many objects, method, description (`%` is the noun).
const VERBS: &[(&str, bool, &str, &str)] = &[
    ("list", true, "GET", "List % page by page, newest first."),
    ("list", true, "GET", "Return the % of the account."),
    ("search", true, "GET", "Search % by keyword, date or state."),
    ("search", true, "GET", "Find % by words and filters; the best matches come first."),
    ("get", false, "GET", "Fetch one % by its id."),
    ("get", false, "GET", "Read a single % with its lines and its history."),
    ("create", false, "POST", "Create a new %."),
    ("create", false, "POST", "Open a % as a draft, to be confirmed later."),
    ("update", false, "PATCH", "Change some fields of a % and leave the others alone."),
    ("update", false, "PUT", "Replace a % that is not closed yet."),
    ("delete", false, "DELETE", "Delete a % for good."),
    ("cancel", false, "POST", "Cancel a % that has not been sent."),
    ("export", true, "GET", "Export % as a file."),
    ("count", true, "GET", "Count the % in a period."),
    ("confirm", false, "POST", "Confirm a % after the customer has agreed to it."),
];

const TAILS: &[&str] = &[
    " Needs the account to be verified.",
    " The answer holds the new version number.",
    " Results are sorted by date unless another order is asked for.",
    " Amounts are given in the currency of the account.",
];

/// Parameters: name, type, location (p: path, q: query, b: body), description, default.
const PARAMETERS: &[(&str, &str, char, &str, Option<&str>)] = &[
    ("page", "integer", 'q', "Number of the page.", Some("1")),
    ("limit", "integer", 'q', "Entries on a page, at most 100.", Some("20")),
    ("cursor", "string", 'q', "Where the last page ended.", None),
    ("q", "string", 'q', "Words to look for.", None),
    (
        "sort",
        "string",
        'q',
        "Field to sort by, a minus before it for falling order.",
        Some("\"-created\""),
    ),
    ("state", "string", 'q', "Only entries in this state.", None),
    ("created_after", "string", 'q', "Earliest date, ISO 8601.", None),
    ("expand", "array", 'q', "Related entries to include in the answer.", None),
    ("currency", "string", 'b', "Three-letter currency code.", Some("\"EUR\"")),
    ("amount", "integer", 'b', "Amount in the smallest coin.", None),
    ("name", "string", 'b', "Name shown to people.", None),
    ("email", "string", 'b', "Email address.", None),
    ("lines", "array", 'b', "Lines with product, quantity and price each.", None),
    ("notify", "boolean", 'b', "Whether to send a message.", Some("false")),
    ("note", "string", 'b', "Free text.", None),
    ("quantity", "integer", 'b', "How many.", Some("1")),
    ("address", "object", 'b', "Street, town, postcode and country.", None),
    ("due_date", "string", 'b', "Date of payment.", None),
    (
        "metadata",
        "object",
        'b',
        "Up to twenty names and values of your own, kept as they are.",
        None,
    ),
    ("reference", "string", 'b', "Your own number for it.", None),
    ("weight", "number", 'b', "Kilograms, with packing.", None),
];

/// A parameter of an operation.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) kind: &'static str,
    pub(crate) location: &'static str,
    pub(crate) description: String,
    pub(crate) required: bool,
    /// The default value as JSON text.
    pub(crate) default: Option<&'static str>,
}

/// An operation of a site.
#[derive(Clone, Debug)]
pub(crate) struct Operation {
    /// The words of its name.
    pub(crate) words: Vec<String>,
    /// The words of its object.
    pub(crate) group: Vec<String>,
    pub(crate) description: String,
    pub(crate) path: String,
    pub(crate) method: &'static str,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) auth: &'static str,
    pub(crate) rate: Option<(usize, &'static str)>,
    pub(crate) scopes: Vec<String>,
}

impl Operation {
    pub(crate) fn name(&self, separator: &str) -> String {
        self.words.join(separator)
    }
}

/// An invented site.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    pub(crate) name: String,
    pub(crate) host: String,
    pub(crate) description: String,
    /// Omits optional members, for the smallest documents.
    pub(crate) lean: bool,
    /// Uses descriptions as long as those of the Internet-Draft's examples.
    wordy: bool,
    auth: &'static str,
    made: usize,
}

impl Site {
    pub(crate) fn new(rng: &mut Rng, lean: bool, wordy: bool) -> Self {
        let (first, second) = (*rng.pick(FIRST), *rng.pick(SECOND));
        let count = if lean { 1 } else { rng.weighted(&[(2, 2), (4, 3), (4, 4)]) };
        let start = rng.below(SENTENCES.len());
        let sentences: Vec<_> = SENTENCES.iter().cycle().skip(start).take(count).copied().collect();
        Self {
            name: format!("{first} {second}"),
            host: format!("{}{}.example", first.to_lowercase(), second.to_lowercase()),
            description: sentences.join(" "),
            lean,
            wordy,
            auth: rng.weighted(&[
                (3, "none"),
                (4, "api-key"),
                (3, "bearer-token"),
                (4, "oauth2"),
                (1, "hmac"),
            ]),
            made: 0,
        }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("https://{}{path}", self.host)
    }

    /// Returns the next operation. All names are unique.
    pub(crate) fn operation(&mut self, rng: &mut Rng) -> Operation {
        let (noun, nouns) = *rng.pick(NOUNS);
        let (verb, many, method, sentence) = *rng.pick(VERBS);
        let subject = if many { nouns } else { noun };
        let group: Vec<String> = nouns.split(' ').map(str::to_owned).collect();
        let mut words = vec![verb.to_owned()];
        words.extend(subject.split(' ').map(str::to_owned));
        self.made += 1;
        // The vocabulary gives some three hundred names; a number makes later ones unique.
        if self.made > 12 {
            words.push(self.made.to_string());
        }
        let mut description = sentence.replace('%', subject);
        if rng.chance(if self.wordy { 60 } else { 22 }) {
            description.push_str(rng.pick::<&str>(TAILS));
        }
        if rng.chance(2) {
            description.push_str(" Called “reading” – see the guide.");
        }
        let mut path = format!("/v1/{}", group.join("-"));
        let mut parameters = Vec::new();
        if !many && verb != "create" {
            path.push_str("/{id}");
            parameters.push(Parameter {
                name: "id".to_owned(),
                kind: "string",
                location: "path",
                description: format!("Id of the {noun}."),
                required: true,
                default: None,
            });
        }
        if !matches!(verb, "list" | "get" | "create" | "update" | "delete" | "search") {
            path.push('/');
            path.push_str(verb);
        }
        let wanted = if self.lean {
            rng.between(1, 2)
        } else {
            rng.weighted(&[(8, 0), (22, 1), (26, 2), (20, 3), (10, 4), (8, 5), (4, 7), (2, 11)])
        };
        let place = if matches!(method, "GET" | "DELETE") { 'q' } else { 'b' };
        let mut at = rng.below(PARAMETERS.len());
        while parameters.len() < wanted {
            at = (at + rng.between(1, 4)) % PARAMETERS.len();
            let Some(&(name, kind, location, text, default)) = PARAMETERS.get(at) else {
                break;
            };
            if location != place && place == 'q' && parameters.len() < 6
                || parameters.iter().any(|known: &Parameter| known.name == name)
            {
                if parameters.len() > 8 {
                    break;
                }
                continue;
            }
            let location = if place == 'q' {
                "query"
            } else if rng.chance(4) {
                "header"
            } else {
                "body"
            };
            let mut description = text.to_owned();
            if rng.chance(8) {
                description.push_str(" Left out, the account's own setting counts.");
            }
            parameters.push(Parameter {
                name: name.to_owned(),
                kind,
                location,
                description,
                required: rng.chance(35),
                default,
            });
        }
        let auth = if many && rng.chance(30) { "none" } else { self.auth };
        let scopes = if auth == "oauth2" {
            let group = group.join("_");
            let mut scopes = vec![format!("{group}:read")];
            if method != "GET" {
                scopes.push(format!("{group}:write"));
            }
            scopes
        } else {
            Vec::new()
        };
        let rate = (!self.lean && rng.chance(60)).then(|| {
            (
                *rng.pick(&[5, 10, 30, 60, 100, 120, 300, 1000]),
                rng.weighted(&[(8, "minute"), (2, "hour"), (1, "second"), (1, "day")]),
            )
        });
        Operation { words, group, description, path, method, parameters, auth, rate, scopes }
    }
}
