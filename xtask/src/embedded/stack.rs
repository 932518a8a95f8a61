//! The maximum stack depth: adds up frames over the call graph. If there is a bound, nothing
//! recurses.

use std::collections::BTreeMap;

use super::machine::Machine;

/// The stack depths of a program.
pub(crate) struct Depths {
    /// The depth below each function, including its own frame. Too small for functions that
    /// recurse.
    pub(crate) below: BTreeMap<u32, u32>,
    /// Functions that call each other recursively, if there are any.
    pub(crate) circle: Vec<u32>,
}

/// Adds up the frames, starting at the leaves.
pub(crate) fn depths(machine: &Machine) -> Depths {
    let mut below = BTreeMap::new();
    let mut circle = Vec::new();
    for start in machine.functions.keys() {
        // The functions on the current path, each with its remaining calls.
        let mut way: Vec<(u32, Vec<u32>)> = Vec::new();
        let mut next = Some(*start).filter(|start| !below.contains_key(start));
        loop {
            if let Some(function) = next.take() {
                let calls = machine
                    .functions
                    .get(&function)
                    .map(|function| function.calls.iter().copied().collect());
                way.push((function, calls.unwrap_or_default()));
            }
            let Some((function, calls)) = way.last_mut() else {
                break;
            };
            let function = *function;
            match calls.pop() {
                Some(callee) => {
                    if let Some(from) = way.iter().position(|(on_the_way, _)| *on_the_way == callee)
                    {
                        if circle.is_empty() {
                            circle = way.iter().skip(from).map(|(function, _)| *function).collect();
                        }
                    } else if !below.contains_key(&callee) {
                        next = Some(callee);
                    }
                }
                None => {
                    below.insert(function, depth(machine, function, &below));
                    way.pop();
                }
            }
        }
    }
    Depths { below, circle }
}

fn depth(machine: &Machine, function: u32, below: &BTreeMap<u32, u32>) -> u32 {
    let Some(function) = machine.functions.get(&function) else {
        return 0;
    };
    let deepest =
        function.calls.iter().filter_map(|callee| below.get(callee)).max().copied().unwrap_or(0);
    function.frame.saturating_add(deepest)
}

impl Depths {
    /// Returns the deepest path from a function: addresses in the order of calls.
    pub(crate) fn way(&self, machine: &Machine, from: u32) -> Vec<u32> {
        let mut way = vec![from];
        let mut at = from;
        while let Some(function) = machine.functions.get(&at) {
            let depth = |callee: &&u32| self.below.get(callee).copied().unwrap_or(0);
            let Some(deepest) =
                function.calls.iter().max_by_key(depth).filter(|callee| !way.contains(callee))
            else {
                break;
            };
            way.push(*deepest);
            at = *deepest;
        }
        way
    }
}
