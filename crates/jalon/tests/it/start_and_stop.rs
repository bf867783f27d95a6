//! Ready, measured, stopped; and a server that must not start.

use std::os::unix::net::UnixDatagram;
use std::time::{Duration, Instant};

use crate::running::{Folder, LOG, Running, free_port, get, jalon, status};

#[test]
fn a_server_that_is_stopped_says_so_first_and_still_answers() {
    let folder = Folder::new("stopped");
    let metrics = free_port().to_string();
    let server =
        Running::start(folder.path(), &[("JALON_HTTP__DRAIN_S", "3"), ("JALON_METRICS__PORT", metrics.as_str())]);
    let (port, metrics) = (server.port, metrics.parse().unwrap());
    assert_eq!(status(port, "/livez"), Some(200));
    for name in ["payload.json", "no-such-page", "api/v1/parcours/12"] {
        assert!(status(port, &format!("/{name}")).is_some(), "{name}");
    }
    let (found, text) = get(metrics, "/metrics").unwrap();
    assert_eq!(found, 200);
    for expected in [
        "jalon_ready 1",
        "jalon_part_ok{part=\"database\"} 1",
        "jalon_part_ok{part=\"network\"} 1",
        "jalon_http_request_duration_seconds_count{method=\"GET\",route=\"/payload.json\",status=\"200\"} 1",
        "jalon_http_request_duration_seconds_count{method=\"GET\",route=\"/api/v1/parcours/{id}\",status=\"401\"} 1",
        "jalon_database_statement_duration_seconds_bucket{kind=\"all\",le=\"0.001\"}",
        "jalon_database_connections{pool=\"writer\",state=\"idle\"} 1",
        "jalon_jobs{kind=\"mail\",state=\"dead\"} 0",
        "jalon_build_info{version=",
        "process_resident_memory_bytes",
    ] {
        assert!(text.contains(expected), "{expected} is not in\n{text}");
    }
    assert!(!text.contains("no-such-page"), "what a caller writes becomes no label");
    assert!(
        status(port, "/metrics")
            .is_some_and(|status| status != 200 || !get(port, "/metrics").unwrap().1.contains("jalon_ready"))
    );

    server.terminate();
    let begun = Instant::now();
    while status(port, "/readyz") != Some(503) {
        assert!(begun.elapsed() < Duration::from_secs(2), "it does not say that it stops");
    }
    assert_eq!(status(port, "/payload.json"), Some(200), "it still answers");
    assert_eq!(status(metrics, "/readyz"), Some(503));
    assert!(server.wait().success());
    let took = begun.elapsed();
    assert!(took >= Duration::from_secs(2) && took < Duration::from_secs(28), "{took:?}");
    assert_eq!(status(port, "/livez"), None);
}

#[test]
fn a_service_that_is_asked_to_read_its_configuration_again_says_no_and_goes_on() {
    let folder = Folder::new("hang-up");
    let mut server = Running::start(folder.path(), &[]);
    server.hang_up();
    let log = folder.path().join(LOG);
    server.until(|_| std::fs::read_to_string(&log).unwrap().contains("SIGHUP"), "it says that nothing is read again");
    assert_eq!(status(server.port, "/livez"), Some(200));
    server.terminate();
    assert!(server.wait().success());
}

#[test]
fn a_server_whose_measurements_have_no_port_does_not_say_that_it_runs() {
    let folder = Folder::new("metrics-port");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let settings = [("JALON_METRICS__PORT", port.as_str())];
    let refused = jalon(folder.path(), &settings, &["serve", "--port", &free_port().to_string()]).output().unwrap();
    let said = String::from_utf8_lossy(&refused.stdout).into_owned();
    assert!(!refused.status.success() && !said.contains("Jalon is at"), "{said}");
    assert!(String::from_utf8_lossy(&refused.stderr).contains(&format!("127.0.0.1:{port} cannot be opened")));
}

#[test]
fn a_server_with_another_key_does_not_start_until_it_is_adopted() {
    let folder = Folder::new("other-key");
    let key = folder.path().join("server.key");
    let server = Running::start(folder.path(), &[]);
    server.terminate();
    assert!(server.wait().success());
    std::fs::remove_file(&key).unwrap();

    let refused = jalon(folder.path(), &[], &["serve", "--port", &free_port().to_string()]).output().unwrap();
    assert!(!refused.status.success());
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(said.contains("use the server key") && said.contains("jalon key adopt"), "{said}");
    assert!(!key.exists(), "no key is made beside a database that has one");
    let checked = jalon(folder.path(), &[], &["doctor"]).output().unwrap();
    assert!(String::from_utf8_lossy(&checked.stdout).contains("server key    FAILED"), "{checked:?}");

    assert!(jalon(folder.path(), &[], &["key", "adopt"]).output().unwrap().status.success());
    let server = Running::start(folder.path(), &[]);
    server.terminate();
    assert!(server.wait().success());
}

#[test]
fn a_supervisor_and_a_health_check_see_when_it_runs() {
    let folder = Folder::new("supervised");
    let socket = folder.path().join("notify");
    let supervisor = UnixDatagram::bind(&socket).unwrap();
    supervisor.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let reported = || {
        let mut message = [0; 200];
        let length = supervisor.recv(&mut message).unwrap();
        String::from_utf8_lossy(&message[..length]).trim_end().to_owned()
    };
    let server = Running::start(folder.path(), &[("NOTIFY_SOCKET", socket.to_str().unwrap())]);
    assert_eq!(reported(), "READY=1");
    let port = server.port.to_string();
    let healthy = |arguments: &[&str]| {
        // Behind every address of the machine the check asks the machine itself.
        let settings = [("JALON_PORT", port.as_str()), ("JALON_BIND", "0.0.0.0")];
        jalon(folder.path(), &settings, arguments).output().unwrap().status.success()
    };
    assert!(healthy(&["health"]) && healthy(&["health", "--ready"]));
    server.terminate();
    assert_eq!(reported(), "STOPPING=1");
    assert!(server.wait().success());
    assert!(!healthy(&["health"]));
}

#[cfg(target_os = "linux")]
#[test]
fn a_server_runs_without_its_standard_output() {
    let folder = Folder::new("no-output");
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let server = Running::printing_to(folder.path(), full);
    server.terminate();
    assert!(server.wait().success());
    let (reader, closed) = std::io::pipe().unwrap();
    drop(reader);
    let server = Running::printing_to(folder.path(), closed);
    server.terminate();
    assert!(server.wait().success());
}
