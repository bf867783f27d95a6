//! Values that all requests and jobs of this process share: caches, counters, threads for heavy work.
//!
//! The module that needs such a value defines its type, beside the code that reads and writes it; [`App`](super::App) knows none of these
//! types. Another server has values of its own: what is here is a cache, or a bound on what one server does.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

/// One value of each type that was asked for.
#[derive(Default)]
pub(super) struct SharedValues(RwLock<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>);

impl SharedValues {
    /// The value of a type, made when it is asked for the first time.
    pub(super) fn get<T: Any + Default + Send + Sync>(&self) -> Arc<T> {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner).get(&TypeId::of::<T>()).cloned();
        let value = known.unwrap_or_else(|| {
            let mut values = self.0.write().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(values.entry(TypeId::of::<T>()).or_insert_with(|| Arc::new(T::default())))
        });
        value.downcast().expect("a value is stored under its own type")
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[test]
    fn all_who_ask_for_a_type_get_the_same_value() {
        let values = SharedValues::default();
        values.get::<AtomicU32>().store(7, Ordering::Relaxed);
        assert_eq!(values.get::<AtomicU32>().load(Ordering::Relaxed), 7);
        assert!(!*values.get::<bool>(), "another type has another value");
    }
}
