//! The HTTP contract: one folder per resource, problem+json, OpenAPI, sessions.
