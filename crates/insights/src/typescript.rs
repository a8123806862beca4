//! The types of events, state and changes as TypeScript: nothing in, the text of one module out.
//!
//! One module for all of them, so that a screen imports from one place and two types of the same name cannot be.

mod layout;

use std::any::TypeId;
use std::collections::{BTreeMap, HashSet};

use ts_rs::{Config, TS, TypeVisitor};

use crate::event::{Body, InsightsEvent};
use crate::state::{Change, State};

const HEAD: &str = "// Made from the Rust types of `crates/insights` by `cargo xtask codegen`. Changes belong there.\n";

const TAIL: &str = "
/** The event with this discriminator. */
export type EventOf<Name extends InsightsEvent[\"event\"]> = Extract<InsightsEvent, { event: Name }>;
";

/// The module, or the names that two types claim.
pub fn module() -> Result<String, Vec<String>> {
    // JSON has one kind of number, and none of ours passes 2^53.
    let config = Config::new().with_large_int("number");
    let mut bodies = Bodies::default();
    Body::visit_dependencies(&mut bodies);
    let mut module = Module { config, bodies, declarations: BTreeMap::new(), clashes: Vec::new() };
    module.visit::<InsightsEvent>();
    module.visit::<State>();
    module.visit::<Change>();
    if !module.clashes.is_empty() {
        return Err(module.clashes);
    }
    let declarations: String = module.declarations.into_values().map(|(_, text)| text).collect();
    Ok(format!("{HEAD}{declarations}{TAIL}"))
}

/// The types of the bodies of events. Half of an event each, with names like `Text` that mean something else in a browser:
/// they stay in the module, which offers `EventOf` instead.
#[derive(Default)]
struct Bodies(HashSet<TypeId>);

impl TypeVisitor for Bodies {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        self.0.insert(TypeId::of::<T>());
    }
}

/// Declarations by name, each with the Rust type that it is made of.
struct Module {
    config: Config,
    bodies: Bodies,
    declarations: BTreeMap<String, (TypeId, String)>,
    clashes: Vec<String>,
}

impl TypeVisitor for Module {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        // Only what could stand in a file of its own has a declaration; the others are written where they are used.
        if T::output_path().is_some() {
            let (name, id) = (T::ident(&self.config), TypeId::of::<T>());
            if let Some((known, _)) = self.declarations.get(&name) {
                if *known != id {
                    self.clashes.push(name);
                }
                return;
            }
            let export = if self.bodies.0.contains(&id) { "" } else { "export " };
            let text = format!("{}{export}{}", T::docs().unwrap_or_default(), T::decl(&self.config));
            self.declarations.insert(name, (id, layout::laid_out(&text)));
        }
        T::visit_dependencies(self);
        T::visit_generics(self);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_types_of_the_same_name_are_refused() {
        #[derive(TS)]
        #[ts(rename = "State")]
        #[expect(dead_code, reason = "only its name counts")]
        struct Other(bool);

        let mut module = Module {
            config: Config::new(),
            bodies: Bodies::default(),
            declarations: BTreeMap::new(),
            clashes: Vec::new(),
        };
        module.visit::<State>();
        module.visit::<State>();
        module.visit::<Other>();
        assert_eq!(module.clashes, ["State"]);
    }

    #[test]
    fn the_module_has_numbers_for_integers_and_leaves_out_what_is_empty() {
        let text = module().unwrap();
        assert!(!text.contains("bigint"));
        assert!(!text.contains("null"));
        assert!(text.contains("\nexport type Order = [number, number];\n"), "{text}");
    }
}
