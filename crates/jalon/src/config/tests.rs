//! Tests of the configuration: what wins over what, and what is refused in which words.

use super::*;

#[test]
fn the_environment_wins_over_the_file_and_the_file_over_the_defaults() {
    figment::Jail::expect_with(|jail| {
        jail.create_file(
            "jalon.toml",
            "port = 9000\nenvironment = \"preproduction\"\n[redirects]\n\"/ancien\" = \"/parcours\"",
        )?;
        jail.set_env("JALON_PORT", "9001");
        jail.set_env("DATABASE_URL", "postgres://somewhere/jalon");
        let config = Config::load(None).map_err(|error| error.to_string())?;
        assert_eq!((config.port, config.environment), (9001, Environment::Preproduction));
        assert_eq!(config.database_url(), "postgres://somewhere/jalon");
        assert_eq!(config.redirects["/ancien"], "/parcours");
        Ok(())
    });
}

#[test]
fn a_valhalla_server_is_set_by_file_or_environment() {
    figment::Jail::expect_with(|jail| {
        jail.create_file("jalon.toml", "[planner]\nengine = \"valhalla\"\nfallback = true")?;
        jail.set_env("JALON_PLANNER__VALHALLA_URL", "http://routes.example:8002");
        let planner = Config::load(None).map_err(|error| error.to_string())?.planner;
        assert_eq!((planner.engine, planner.fallback), (Engine::Valhalla, true));
        assert_eq!(
            (planner.valhalla_url.as_str(), planner.valhalla_timeout_ms),
            ("http://routes.example:8002", 10_000)
        );
        jail.set_env("JALON_PLANNER__VALHALLA_TIMEOUT_MS", "5");
        let error = Config::load(None).err().map(|error| error.to_string()).unwrap_or_default();
        assert_eq!(error, "planner.valhalla_timeout_ms must be between 100 and 120000");
        Ok(())
    });
}

#[test]
fn administrators_need_a_second_factor_in_production_unless_it_is_set_otherwise() {
    figment::Jail::expect_with(|jail| {
        let required = || Config::load(None).map(|config| config.totp_required_of_admins()).ok();
        assert_eq!(required(), Some(false));
        jail.set_env("JALON_TOTP_REQUIRED_OF_ADMINS", "true");
        assert_eq!(required(), Some(true));
        jail.set_env("JALON_ENVIRONMENT", "production");
        jail.set_env("JALON_TOTP_REQUIRED_OF_ADMINS", "false");
        assert_eq!(required(), Some(false));
        Ok(())
    });
}

#[test]
fn trusted_proxies_are_networks_or_the_number_of_older_configurations() {
    figment::Jail::expect_with(|jail| {
        let read = || Config::load(None).map_err(|error| error.to_string());
        let with = |text: &str| {
            TrustedProxies::networks(text.split(',')).map_err(|error| figment::Error::from(error.to_string()))
        };
        let config = read()?;
        assert!(config.trusted_proxies().is_none());
        assert!(config.trusted_proxies.warning(true).is_some_and(|warning| warning.contains("no proxy is trusted")));
        assert_eq!(config.trusted_proxies.warning(false), None);
        jail.create_file("jalon.toml", "trusted_proxies = [\"127.0.0.1\", \"10.0.0.0/8\", \"fd00::/8\"]")?;
        let config = read()?;
        assert_eq!(config.trusted_proxies(), with("127.0.0.1,10.0.0.0/8,fd00::/8")?);
        assert_eq!(config.trusted_proxies.warning(true), None);
        jail.set_env("JALON_TRUSTED_PROXIES", "127.0.0.1, ::1");
        assert_eq!(read()?.trusted_proxies(), with("127.0.0.1,::1")?);
        jail.set_env("JALON_TRUSTED_PROXIES", "1");
        let config = read()?;
        assert_eq!(config.trusted_proxies(), TrustedProxies::Hops(1));
        assert!(config.trusted_proxies.warning(true).is_some_and(|warning| warning.contains("is a number")));
        jail.set_env("JALON_TRUSTED_PROXIES", "nginx");
        let error = read().err().unwrap_or_default();
        assert_eq!(error, "trusted_proxies: `nginx` is neither an IP address nor a network such as 10.0.0.0/8");
        Ok(())
    });
}

#[test]
fn in_production_administrators_need_a_second_factor_by_default() {
    figment::Jail::expect_with(|jail| {
        jail.create_file("jalon.toml", "environment = \"production\"")?;
        let config = Config::load(None).map_err(|error| error.to_string())?;
        assert!(config.totp_required_of_admins());
        Ok(())
    });
}

#[test]
fn an_idle_time_of_more_than_a_day_is_refused() {
    figment::Jail::expect_with(|jail| {
        jail.set_env("JALON_SESSION_IDLE_S", "86401");
        let error = Config::load(None).err().map(|error| error.to_string()).unwrap_or_default();
        assert_eq!(error, "session_idle_s must be between 300 (five minutes) and 86400 (a day)");
        Ok(())
    });
}

#[test]
fn bounds_of_http_are_set_one_by_one_and_checked() {
    figment::Jail::expect_with(|jail| {
        jail.set_env("JALON_HTTP__MAX_CONNECTIONS", "50");
        jail.create_file("jalon.toml", "[http]\nforwarding_header = \"forwarded\"\nidle_timeout_s = 5")?;
        let http = Config::load(None).map_err(|error| error.to_string())?.http;
        let limits = http.connections();
        assert_eq!((limits.max_connections, limits.idle_timeout.as_secs()), (50, 5));
        assert_eq!((limits.header_timeout.as_secs(), http.requests().anonymous_body_bytes), (10, 65_536));
        assert_eq!(http.forwarding_header(), app::ForwardingHeader::Forwarded);
        let refused = |jail: &mut figment::Jail, key: &str, value: &str| {
            jail.set_env(key, value);
            Config::load(None).err().map(|error| error.to_string()).unwrap_or_default()
        };
        let error = refused(jail, "JALON_HTTP__PROXY_PROTOCOL", "true");
        assert!(error.starts_with("http.proxy_protocol needs trusted_proxies"), "{error}");
        jail.set_env("JALON_HTTP__PROXY_PROTOCOL", "false");
        assert_eq!(refused(jail, "JALON_HTTP__MAX_REQUESTS", "0"), "http.max_requests must be 1 or more");
        jail.set_env("JALON_HTTP__MAX_REQUESTS", "1");
        let error = refused(jail, "JALON_HTTP__BODY_TIMEOUT_S", "0");
        assert_eq!(error, "http.body_timeout_s must be between 1 and 3600");
        Ok(())
    });
}

#[test]
fn old_server_keys_are_a_list_in_the_environment_too() {
    figment::Jail::expect_with(|jail| {
        jail.set_env("JALON_OLD_SERVER_KEYS", r#"["ab12", "cd34"]"#);
        let config = Config::load(None).map_err(|error| error.to_string())?;
        assert_eq!(config.old_server_keys, ["ab12", "cd34"]);
        Ok(())
    });
}

#[test]
fn blobs_are_in_a_folder_or_in_a_bucket_and_its_secret_is_never_printed() {
    figment::Jail::expect_with(|jail| {
        let read = || Config::load(None).map_err(|error| error.to_string());
        let refused = || read().err().unwrap_or_default();
        assert!(read()?.blobs.bucket()?.is_none());
        jail.create_file("jalon.toml", "[blobs]\nurl = \"s3://jalon/prod/\"\nregion = \"garage\"")?;
        assert_eq!(refused(), "blobs.url names a bucket: set blobs.access_key_id and blobs.secret_access_key too");
        jail.set_env("JALON_BLOBS__ACCESS_KEY_ID", "GK0123");
        jail.set_env("JALON_BLOBS__SECRET_ACCESS_KEY", "do-not-print");
        jail.set_env("JALON_BLOBS__ENDPOINT", "http://127.0.0.1:3900");
        jail.set_env("JALON_BLOBS__PATH_STYLE", "false");
        let config = read()?;
        let bucket = config.blobs.bucket()?.ok_or("there is a bucket")?;
        assert_eq!((bucket.bucket.as_str(), bucket.prefix.as_str()), ("jalon", "prod"));
        assert_eq!(bucket.endpoint.as_deref(), Some("http://127.0.0.1:3900"));
        assert_eq!((bucket.region.as_str(), bucket.path_style), ("garage", false));
        assert!(!format!("{config:?}{bucket:?}").contains("do-not-print"));
        jail.set_env("JALON_BLOBS__ENDPOINT", "127.0.0.1:3900");
        assert_eq!(refused(), "blobs.endpoint must start with https:// or http://");
        jail.set_env("JALON_BLOBS__URL", "https://jalon.s3.example");
        assert!(refused().starts_with("blobs.url must be s3://bucket"), "{}", refused());
        jail.set_env("JALON_BLOBS__URL", "s3://Mon Bucket");
        assert!(refused().contains("`Mon Bucket` is not a valid name of a bucket"), "{}", refused());
        Ok(())
    });
}

#[test]
fn a_replica_is_one_of_postgresql() {
    figment::Jail::expect_with(|jail| {
        let read = || Config::load(None).map_err(|error| error.to_string());
        let refused = || read().err().unwrap_or_default();
        assert_eq!(read()?.database().replica_url, None);
        jail.set_env("JALON_DATABASE__REPLICA_URL", "postgres://replica/jalon");
        assert!(refused().contains("leave replica_url empty"), "{}", refused());
        jail.set_env("DATABASE_URL", "postgres://primary/jalon");
        let settings = read()?.database();
        assert_eq!(settings.replica_url.as_deref(), Some("postgres://replica/jalon"));
        assert_eq!(settings.for_migration().replica_url, None);
        jail.set_env("JALON_DATABASE__REPLICA_URL", "replica");
        assert_eq!(refused(), "database.replica_url must start with postgres:");
        Ok(())
    });
}

#[test]
fn a_bucket_sends_files_to_visitors_only_where_they_reach_it() {
    figment::Jail::expect_with(|jail| {
        let read = || Config::load(None).map_err(|error| error.to_string());
        let refused = || read().err().unwrap_or_default();
        let visitors = |config: &Config| config.blobs.bucket_of_visitors(&config.public_url());
        assert!(visitors(&read()?)?.is_none(), "the server sends them");
        jail.set_env("JALON_BLOBS__PUBLIC_FILES", "redirect");
        assert!(refused().starts_with("blobs.public_files = \"redirect\" needs a bucket"), "{}", refused());
        jail.create_file(
            "jalon.toml",
            "[blobs]\nurl = \"s3://jalon\"\naccess_key_id = \"a\"\nsecret_access_key = \"b\"",
        )?;
        assert_eq!(visitors(&read()?)?.ok_or("a bucket")?.endpoint, None, "AWS");
        jail.set_env("JALON_PUBLIC_URL", "https://parcours.example.fr");
        jail.set_env("JALON_BLOBS__ENDPOINT", "http://garage:3900");
        assert!(refused().contains("set blobs.public_endpoint"), "{}", refused());
        jail.set_env("JALON_BLOBS__PUBLIC_ENDPOINT", "fichiers.example.fr");
        assert_eq!(refused(), "blobs.public_endpoint must start with https:// or http://");
        jail.set_env("JALON_BLOBS__PUBLIC_ENDPOINT", "https://fichiers.example.fr");
        let config = read()?;
        let endpoint = |bucket: Option<store::BucketSettings>| bucket.and_then(|bucket| bucket.endpoint);
        assert_eq!(endpoint(visitors(&config)?).as_deref(), Some("https://fichiers.example.fr"));
        assert_eq!(endpoint(config.blobs.bucket()?).as_deref(), Some("http://garage:3900"));
        Ok(())
    });
}

#[test]
fn a_folder_of_blobs_beside_postgresql_must_be_declared_shared_to_serve() {
    figment::Jail::expect_with(|jail| {
        let serves = || Config::load(None).and_then(|config| config.check_for_serving());
        assert!(serves().is_ok(), "SQLite is on one machine");
        jail.set_env("DATABASE_URL", "postgres://somewhere/jalon");
        let refused = serves().err().map(|error| error.to_string()).unwrap_or_default();
        assert!(refused.contains("set blobs.url") && refused.contains("blobs.shared = true"), "{refused}");
        jail.set_env("JALON_BLOBS__SHARED", "true");
        assert!(serves().is_ok());
        Ok(())
    });
}

#[test]
fn the_journal_is_kept_for_a_year_unless_the_operator_says_so() {
    figment::Jail::expect_with(|jail| {
        let days = |config: Result<Config, ConfigError>| config.map(|config| config.audit.retention_days);
        assert_eq!(days(Config::load(None)).ok(), Some(365));
        jail.set_env("JALON_AUDIT__RETENTION_DAYS", "180");
        assert_eq!(days(Config::load(None)).ok(), Some(180));
        jail.set_env("JALON_AUDIT__RETENTION_DAYS", "7");
        let error = Config::load(None).err().map(|error| error.to_string()).unwrap_or_default();
        assert_eq!(error, "audit.retention_days must be between 30 and 3650");
        Ok(())
    });
}

#[test]
fn a_text_of_the_environment_may_look_like_a_number_and_no_value_of_a_wrong_type_is_printed() {
    figment::Jail::expect_with(|jail| {
        for (name, value) in [
            ("BLOBS__ACCESS_KEY_ID", "true"),
            ("BLOBS__SECRET_ACCESS_KEY", "12345678901234567890"),
            ("SERVER_KEY", "[1]"),
            ("TRACES__HEADERS__AUTHORIZATION", "42"),
            ("PORT", "9001"),
            ("TOTP_REQUIRED_OF_ADMINS", "true"),
        ] {
            jail.set_env(format!("JALON_{name}"), value);
        }
        let config = Config::load(None).map_err(|error| error.to_string())?;
        assert_eq!(config.blobs.access_key_id, "true");
        assert_eq!(config.blobs.secret_access_key, "12345678901234567890");
        assert_eq!((config.server_key.as_str(), config.traces.headers["authorization"].as_str()), ("[1]", "42"));
        assert_eq!((config.port, config.totp_required_of_admins), (9001, Some(true)));
        jail.create_file("jalon.toml", "[backup]\nsecret_access_key = 987654321")?;
        let error = Config::load(None).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.contains("secret_access_key") && error.contains("a number"), "{error}");
        assert!(!error.contains("987654321"), "{error}");
        Ok(())
    });
}

#[test]
fn a_folder_in_the_place_of_the_file_is_called_one() {
    figment::Jail::expect_with(|jail| {
        let error = Config::load(Some(jail.directory())).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.contains("is a folder"), "{error}");
        Ok(())
    });
}

#[test]
fn a_misspelt_key_is_named() {
    figment::Jail::expect_with(|jail| {
        let refused = || Config::load(None).err().map(|error| error.to_string()).unwrap_or_default();
        jail.create_file("jalon.toml", "prot = 9000")?;
        let error = refused();
        assert!(error.contains(": prot in "), "{error}");
        assert!(error.ends_with(" is not a key of the configuration: do you mean port?"), "{error}");
        jail.create_file("jalon.toml", "[backup]\nt = \"backups\"")?;
        let error = refused();
        assert!(error.contains(": backup.t in ") && error.contains(": the keys there are to, keep, "), "{error}");
        assert!(error.ends_with(" and decrypt"), "{error}");
        jail.create_file("jalon.toml", "")?;
        jail.set_env("JALON_BACKUP__KEPP", "3");
        let error = refused();
        assert!(error.ends_with("JALON_BACKUP__KEPP is not a key of the configuration: do you mean keep?"), "{error}");
        Ok(())
    });
}

#[test]
fn a_fault_of_the_environment_is_told_in_words_of_the_operator() {
    for (name, value, words) in [
        ("PROT", "1", "JALON_PROT is not a key of the configuration: do you mean port?"),
        ("BACKUP__KEPE", "true", "JALON_BACKUP__KEPE is not a key of the configuration: do you mean keep?"),
        ("TRUSTED_PROXIES", "true", "trusted_proxies must be a list of addresses"),
    ] {
        figment::Jail::expect_with(|jail| {
            jail.set_env(format!("JALON_{name}"), value);
            let error = Config::load(None).err().map(|error| error.to_string()).unwrap_or_default();
            assert!(error.contains(words), "{error}");
            assert!(!error.contains(".rs") && !error.contains("enum"), "{error}");
            Ok(())
        });
    }
}

#[test]
fn a_value_of_a_wrong_type_is_refused_with_its_key_and_what_it_must_be() {
    let number = "must be a whole number from 0 to 65535, not ";
    for (text, words) in [
        ("port = \"abc\"", format!("port in jalon.toml {number}`abc`")),
        ("port = 70000", format!("port in jalon.toml {number}`70000`")),
        ("port = [1]", format!("port in jalon.toml {number}a list")),
        ("contact = 31337", "contact in jalon.toml must be a text in quotes, not a number".into()),
        ("environment = \"prod\"", "must be production, preproduction or none, not `prod`".into()),
        ("bind = \"localhost\"", "bind in jalon.toml must be an IP address, such as 127.0.0.1".into()),
        ("content_languages = \"fr\"", "must be a list, such as [\"…\"], not a text".into()),
        ("mail = \"smtp://a:b@c\"", "mail in jalon.toml must be a section with keys, not a text".into()),
        (
            "[http]\nproxy_protocol = \"yes\"",
            "http.proxy_protocol in jalon.toml must be true or false, not `yes`".into(),
        ),
    ] {
        figment::Jail::expect_with(|jail| {
            jail.create_file("jalon.toml", text)?;
            let error = Config::load(None).err().map(|error| error.to_string()).unwrap_or_default();
            assert!(error.starts_with("the configuration cannot be read: ") && error.contains(&words), "{error}");
            for wrong in ["invalid type", "invalid value", "u16", "31337", "a:b"] {
                assert!(!error.contains(wrong), "{error}");
            }
            Ok(())
        });
    }
    figment::Jail::expect_with(|jail| {
        jail.set_env("JALON_HTTP__MAX_STREAMS", "many");
        let error = Config::load(None).err().map(|error| error.to_string()).unwrap_or_default();
        let words = "JALON_HTTP__MAX_STREAMS must be a whole number from 0 to 4294967295, not `many`";
        assert!(error.ends_with(words), "{error}");
        Ok(())
    });
}

#[test]
fn a_value_that_cannot_be_meant_is_refused_with_its_key() {
    for (name, value, words) in [
        ("PORT", "0", "port must be between 1 and 65535"),
        ("DATA", "", "data must be the name of a folder"),
        ("LOG", "info,access=loud", "log must be info, debug or a filter"),
        ("LOG", "infoo", "log must be info, debug or a filter"),
        ("VOICES__OPENAI_URL", "x", "voices.openai_url must start with"),
        ("VOICES__AZURE_URL", "x", "voices.azure_url must start with"),
        ("IMPORTS__OGR2OGR", "/nowhere/ogr2ogr", "imports.ogr2ogr: there is no program"),
        ("BACKUP__TO", "ftp://backups", "backup.to must be a folder or s3://bucket"),
        ("TIME_ZONE", "Paris", "time_zone must be the name of a time zone"),
        ("MAP_DOMAIN", "http://carte.example.fr", "map_domain must be the name of a domain"),
        ("ISSUE_TRACKER_URL", "javascript:alert(1)", "issue_tracker_url must start with"),
        ("PREPRODUCTION_URL", "xx", "preproduction_url must start with"),
        ("MAP_STYLE_URL", "zzz", "map_style_url must start with"),
        ("PUBLIC_URL", "https://example.fr/jalon", "public_url must be https://host"),
        ("PUBLIC_URL", "example.fr", "public_url must start with"),
        ("IMPORTS__TIMEOUT_S", "0", "imports.timeout_s must be between"),
        ("SERVICES__TIMEOUT_S", "0", "services.timeout_s must be between"),
        ("STATISTICS__COUNTRY_HEADER", "a b", "statistics.country_header must be"),
        ("CONTENT_LANGUAGES", "[]", "content_languages needs at least one"),
        ("CONTENT_LANGUAGES", r#"["zz zz"]"#, "content_languages must be codes of languages"),
        ("CONTENT_LANGUAGES", r#"["FR","fr"]"#, "content_languages must be codes of languages"),
        ("CONTENT_LANGUAGES", r#"["fr","pt-"]"#, "content_languages must be codes of languages"),
        ("CONTENT_LANGUAGES", r#"["fr","en","fr"]"#, "content_languages has `fr` twice"),
        ("CONTENT_LANGUAGES", r#"["pt-BR","pt-br"]"#, "content_languages has `pt-br` twice"),
        ("REDIRECTS", r#"{"/a"="/b","c"="d"}"#, "redirects must lead from paths that start with /, not from `c`"),
        ("REDIRECTS", r#"{"/a"="b"}"#, "redirects must lead to a path"),
        ("MEDIA__IMAGE__MAX_BYTES", "0", "media.image.max_bytes must be 1 or more"),
        ("MEDIA__FONT__MAX_BYTES", "0", "media.font.max_bytes must be 1 or more"),
    ] {
        figment::Jail::expect_with(|jail| {
            jail.set_env(format!("JALON_{name}"), value);
            let error = Config::load(None).err().map(|error| error.to_string()).unwrap_or_default();
            assert!(error.starts_with(words), "{name}: {error}");
            Ok(())
        });
    }
    figment::Jail::expect_with(|jail| {
        for (name, value) in [
            ("LOG", "debug,access=trace"),
            ("MAP_DOMAIN", ".carte.example.fr"),
            ("TIME_ZONE", "Pacific/Noumea"),
            ("ISSUE_TRACKER_URL", "mailto:aide@example.fr"),
            ("PUBLIC_URL", "https://example.fr:8443/"),
            ("STATISTICS__COUNTRY_HEADER", "CF-IPCountry"),
            ("CONTENT_LANGUAGES", r#"["fr","gsw","pt-BR","zh-Hant"]"#),
            ("REDIRECTS", r#"{"/a"="/b","/shop"="https://boutique.example"}"#),
            ("MEDIA__IMAGE__MIN_WIDTH", "0"),
        ] {
            jail.set_env(format!("JALON_{name}"), value);
        }
        assert_eq!(Config::load(None).err().map(|error| error.to_string()), None);
        Ok(())
    });
}

#[test]
fn the_default_log_has_no_line_of_each_call_of_an_assistant() {
    let filter = tracing_subscriber::EnvFilter::try_new(Config::default().log).map(|filter| filter.to_string());
    let filter = filter.unwrap_or_default();
    assert!(filter.split(',').any(|part| part == "rmcp=error"), "{filter}");
}

#[test]
fn measurements_have_a_port_of_their_own() {
    let mut config = Config::default();
    config.metrics.port = config.port;
    let refused = config.check_for_serving().err().map(|error| error.to_string()).unwrap_or_default();
    assert!(refused.starts_with("port and metrics.port are both 8080"), "{refused}");
    config.metrics.bind = IpAddr::from([10, 0, 0, 1]);
    assert!(config.check_for_serving().is_ok(), "another address");
}

#[test]
fn another_database_is_refused_in_words() {
    figment::Jail::expect_with(|jail| {
        jail.set_env("DATABASE_URL", "mysql://somewhere/jalon");
        let error = Config::load(None).err().map(|error| error.to_string()).unwrap_or_default();
        assert_eq!(error, "database_url must start with sqlite: or postgres:");
        Ok(())
    });
}
