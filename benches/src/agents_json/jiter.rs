//! Reads agents.json with jiter: member by member, in code written by hand.

use jiter::{Jiter, JiterError, Peek};

use crate::touch;

type Read<T> = Result<T, JiterError>;

pub(super) fn walk(bytes: &[u8]) -> Read<u64> {
    let mut jiter = Jiter::new(bytes);
    let peek = jiter.peek()?;
    let total = object(&mut jiter, peek, |name, jiter, peek| match name {
        b"specVersion" | b"generatedAt" | b"declarationType" | b"agentsJson" => text(jiter, peek),
        b"operatesOn" => array(jiter, peek, text),
        b"site" => object(jiter, peek, |name, jiter, peek| match name {
            b"name" | b"url" | b"description" | b"contact" | b"privacyPolicy" => text(jiter, peek),
            _ => skip(jiter, peek),
        }),
        b"capabilities" => array(jiter, peek, capability),
        b"access" => object(jiter, peek, |name, jiter, peek| match name {
            b"allow" | b"disallow" => array(jiter, peek, text),
            _ => skip(jiter, peek),
        }),
        b"agents" if peek == Peek::Object => object(jiter, peek, |name, jiter, peek| {
            let name = touch(name);
            let policy = object(jiter, peek, |name, jiter, peek| match name {
                b"rateLimit" => rate(jiter, peek),
                b"capabilities" => array(jiter, peek, text),
                b"agentDeclaration" => text(jiter, peek),
                _ => skip(jiter, peek),
            })?;
            Ok(name + policy)
        }),
        _ => skip(jiter, peek),
    })?;
    jiter.finish()?;
    Ok(total)
}

fn capability(jiter: &mut Jiter<'_>, peek: Peek) -> Read<u64> {
    object(jiter, peek, |name, jiter, peek| match name {
        b"id" | b"description" | b"endpoint" | b"method" | b"protocol" | b"openapi" => {
            text(jiter, peek)
        }
        b"auth" if peek == Peek::Object => object(jiter, peek, |name, jiter, peek| match name {
            b"type" | b"tokenEndpoint" | b"docsUrl" => text(jiter, peek),
            b"scopes" => array(jiter, peek, text),
            _ => skip(jiter, peek),
        }),
        b"auth" => text(jiter, peek),
        b"rateLimit" => rate(jiter, peek),
        b"parameters" | b"params" => array(jiter, peek, |jiter, peek| {
            object(jiter, peek, |name, jiter, peek| match name {
                b"name" | b"in" | b"location" | b"type" | b"description" => text(jiter, peek),
                b"required" => Ok(u64::from(jiter.known_bool(peek)?)),
                b"default" if peek == Peek::String => text(jiter, peek),
                _ => skip(jiter, peek),
            })
        }),
        _ => skip(jiter, peek),
    })
}

fn rate(jiter: &mut Jiter<'_>, peek: Peek) -> Read<u64> {
    object(jiter, peek, |name, jiter, peek| match name {
        b"requests" => Ok(matches!(jiter.known_int(peek)?, jiter::NumberInt::Int(_)).into()),
        b"window" => text(jiter, peek),
        _ => skip(jiter, peek),
    })
}

fn text(jiter: &mut Jiter<'_>, peek: Peek) -> Read<u64> {
    if peek == Peek::String { Ok(touch(jiter.known_str()?.as_bytes())) } else { skip(jiter, peek) }
}

fn skip(jiter: &mut Jiter<'_>, peek: Peek) -> Read<u64> {
    jiter.known_skip(peek)?;
    Ok(0)
}

fn array<'j>(
    jiter: &mut Jiter<'j>,
    peek: Peek,
    item: impl Fn(&mut Jiter<'j>, Peek) -> Read<u64>,
) -> Read<u64> {
    if peek != Peek::Array {
        return skip(jiter, peek);
    }
    let mut total = 0;
    let mut next = jiter.known_array()?;
    while let Some(peek) = next {
        total += item(jiter, peek)?;
        next = jiter.array_step()?;
    }
    Ok(total)
}

/// Copies the name, because the reader lends it only until the next call.
fn object<'j>(
    jiter: &mut Jiter<'j>,
    peek: Peek,
    member: impl Fn(&[u8], &mut Jiter<'j>, Peek) -> Read<u64>,
) -> Read<u64> {
    if peek != Peek::Object {
        return skip(jiter, peek);
    }
    let mut total = 0;
    let mut name = [0; 64];
    let keep = |text: &str, name: &mut [u8; 64]| {
        let length = text.len().min(name.len());
        if let (Some(place), Some(text)) = (name.get_mut(..length), text.as_bytes().get(..length)) {
            place.copy_from_slice(text);
        }
        length
    };
    let mut next = jiter.known_object()?.map(|text| keep(text, &mut name));
    while let Some(length) = next {
        let peek = jiter.peek()?;
        total += member(name.get(..length).unwrap_or_default(), jiter, peek)?;
        next = jiter.next_key()?.map(|text| keep(text, &mut name));
    }
    Ok(total)
}
