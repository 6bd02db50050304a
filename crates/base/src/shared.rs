//! A table from ids to values whose clones share what they have in common.
//!
//! A clone costs one reference; a change copies the path to its value, if another clone
//! still has it. So a checker may put a large state aside, try something, and take the
//! state back.

use cranelift_entity::EntityRef;
use rpds::VectorSync;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// A table like [`cranelift_entity::PrimaryMap`], with cheap clones.
#[derive(Clone, Debug)]
pub struct SharedMap<K, V> {
    values: VectorSync<V>,
    keys: PhantomData<K>,
}

impl<K, V> Default for SharedMap<K, V> {
    fn default() -> Self {
        SharedMap { values: VectorSync::new_sync(), keys: PhantomData }
    }
}

impl<K: EntityRef, V> SharedMap<K, V> {
    /// An empty table.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of values.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there is no value.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The value of `k`, if it has one.
    pub fn get(&self, k: K) -> Option<&V> {
        self.values.get(k.index())
    }

    /// Every key with its value, in order.
    pub fn iter(&self) -> impl Iterator<Item = (K, &V)> {
        self.values().enumerate().map(|(n, v)| (K::new(n), v))
    }

    /// Every key, in order.
    pub fn keys(&self) -> impl Iterator<Item = K> + use<K, V> {
        (0..self.len()).map(K::new)
    }

    /// Every value, in order.
    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.values.iter()
    }
}

impl<K: EntityRef, V: Clone> SharedMap<K, V> {
    /// Adds a value, and gives its key.
    pub fn push(&mut self, v: V) -> K {
        let key = K::new(self.len());
        self.values.push_back_mut(v);
        key
    }
}

impl<K: EntityRef, V> Index<K> for SharedMap<K, V> {
    type Output = V;

    fn index(&self, k: K) -> &V {
        &self.values[k.index()]
    }
}

impl<K: EntityRef, V: Clone> IndexMut<K> for SharedMap<K, V> {
    fn index_mut(&mut self, k: K) -> &mut V {
        self.values.get_mut(k.index()).expect("the key is of this table")
    }
}

#[cfg(test)]
mod tests {
    use super::SharedMap;
    use cranelift_entity::{EntityRef, entity_impl};

    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    struct Id(u32);
    entity_impl!(Id);

    #[test]
    fn a_clone_keeps_what_was() {
        let mut map: SharedMap<Id, usize> = SharedMap::new();
        let ids: Vec<Id> = (0..100).map(|n| map.push(n)).collect();
        let before = map.clone();
        map[ids[40]] = 7;
        map.push(100);
        assert_eq!((before[ids[40]], before.len(), before.get(Id::new(100))), (40, 100, None));
        assert_eq!((map[ids[40]], map.len(), map[Id::new(100)]), (7, 101, 100));
        assert_eq!(before.values().copied().collect::<Vec<_>>(), (0..100).collect::<Vec<_>>());
        assert!(map.iter().all(|(k, v)| k == Id::new(40) || k.index() == *v));
    }

    #[test]
    fn what_did_not_change_is_shared() {
        let mut map: SharedMap<Id, usize> = SharedMap::new();
        (0..100).for_each(|n| {
            map.push(n);
        });
        let before = map.clone();
        map[Id::new(70)] = 0;
        let same = |k: usize| std::ptr::eq(&before[Id::new(k)], &map[Id::new(k)]);
        assert!(same(0) && same(50) && same(99) && !same(70));
    }
}
