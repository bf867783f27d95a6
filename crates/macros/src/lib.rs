//! Derives that keep the house's habits short: Problem, app_test.
