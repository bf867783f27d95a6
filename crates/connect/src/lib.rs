//! The outside services, one trait each, behind one guarded client. Here: mail.
