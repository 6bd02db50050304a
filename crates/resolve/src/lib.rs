//! Modules and names: from the written tree to the resolved one.
