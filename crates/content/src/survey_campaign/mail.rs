//! Mails about campaigns: to its people when a campaign begins, and to them and the person who changed it last when it is overdue. Each person gets
//! each mail of a campaign once, and only while something is left for them.

use app::App;
use app::hourly::{self, Nothing};
use app::mail::Letter;
use domain::survey_campaign::SurveyCampaignSheet;
use domain::{HOUR_S, Locale, User, UserId};
use jobs::{Failure, JobEvent, JobKind, Lease, Step};
use store::record::Stored;
use store::survey_campaign::{self as rows, mailed, open_after, put_mailed};
use store::{StoreError, Tx, white_label};

use super::coverage::{Covered, CoveredStretch, covered};

/// Campaigns that are looked at in turn.
const BATCH: u32 = 50;
/// The most stretches that a mail names.
const MAX_NAMED: usize = 20;
/// What is shorter is not worth a mail, metres: the figures of a mail are in tenths of a kilometre.
const MIN_NAMED_M: f64 = 50.0;

/// Sends them, every hour.
pub struct MailCampaigns;

impl JobKind for MailCampaigns {
    type Context = App;
    type Payload = Nothing;
    const NAME: &'static str = "campaign_mails";
    const LIMIT: i64 = 1;

    async fn run(app: App, lease: Lease, _: Nothing) -> Result<Step, Failure> {
        let mut last = 0;
        loop {
            let campaigns = open_after(app.store.read(), last, BATCH).await?;
            let Some(end) = campaigns.iter().map(|campaign| campaign.id).max() else { break };
            for campaign in campaigns {
                if lease.is_stopping() {
                    return Ok(Step::Again);
                }
                mail(&app, &campaign).await?;
            }
            last = end;
        }
        Ok(Step::Later { seconds: HOUR_S })
    }

    async fn on_event(app: &App, tx: &Tx, _: &Nothing, event: JobEvent) -> Result<(), StoreError> {
        hourly::on_event::<Self>(app, tx, event).await
    }
}

/// What a mail is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum About {
    Begun,
    Overdue,
}

impl About {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Begun => "begun",
            Self::Overdue => "overdue",
        }
    }
}

/// Sends the mails about one campaign that are due.
async fn mail(app: &App, campaign: &Stored<SurveyCampaignSheet>) -> Result<(), Failure> {
    let (db, sheet, today) = (app.store.read(), &campaign.sheet, app.today());
    let about = if sheet.is_past_due(&today) {
        About::Overdue
    } else if sheet.starts_on <= today {
        About::Begun
    } else {
        return Ok(());
    };
    let Some(owner) = campaign.white_label_id else { return Ok(()) };
    let sent = mailed(db, campaign.id).await?;
    let organiser = campaign.updated_by.as_ref().map(|(id, _)| id.0).filter(|_| about == About::Overdue);
    let mut people: Vec<i64> = sheet.user_ids.iter().copied().chain(organiser).collect();
    people.sort_unstable();
    people.dedup();
    people.retain(|id| !sent.contains(&(*id, about.as_str().to_owned())));
    if people.is_empty() {
        return Ok(());
    }
    // People who left, or may no longer record here, get nothing.
    let Some(structure) = white_label::find(db, owner).await?.map(|owner| owner.structure_id) else { return Ok(()) };
    let may = rows::people(db, structure, owner).await?;
    people.retain(|id| may.iter().any(|(one, _)| one == id));
    if people.is_empty() {
        return Ok(());
    }
    let covered = covered(db, campaign).await?;
    for id in people {
        let Some(user) = store::user::find(db, UserId(id)).await? else { continue };
        let left = left_for(&covered, (organiser != Some(id)).then_some(id), user.locale);
        if left.is_empty() {
            continue;
        }
        let tx = app.store.begin().await?;
        // Another server may have been here at the same time: one of them sends it.
        if put_mailed(&tx, campaign.id, id, about.as_str()).await? {
            let letter = written(&app.settings.public_url, about, sheet, &left, &user);
            letter.of_white_label(owner).enqueue(app, &tx).await?;
        }
        tx.commit_aside().await?;
    }
    Ok(())
}

/// What is left for a person, or for all: the title of each parcours in a language, and the metres.
fn left_for(covered: &Covered, person: Option<i64>, language: Locale) -> Vec<(&str, f64)> {
    let is_theirs = |one: &&CoveredStretch| person.is_none() || one.user.is_none() || one.user == person;
    let left = |one: &CoveredStretch| {
        let metres = one.length_m - one.surveyed_m();
        let name = covered.parcours.get(&one.parcours).map_or("", |title| title.best(language.as_str()));
        (metres >= MIN_NAMED_M).then_some((name, metres))
    };
    covered.stretches.iter().filter(is_theirs).filter_map(left).collect()
}

fn written(url: &str, about: About, sheet: &SurveyCampaignSheet, left: &[(&str, f64)], user: &User) -> Letter {
    let is_french = user.locale == Locale::Fr;
    let km = |metres: f64| {
        let km = format!("{:.1}", metres / 1_000.0);
        if is_french { km.replace('.', ",") } else { km }
    };
    let total = km(left.iter().map(|(_, metres)| metres).sum());
    let mut list: String =
        left.iter().take(MAX_NAMED).map(|(name, metres)| format!("- {name} ({} km)\n", km(*metres))).collect();
    let more = left.len().saturating_sub(MAX_NAMED);
    if more > 0 {
        list.push_str(&if is_french { format!("- et {more} autres\n") } else { format!("- and {more} more\n") });
    }
    let name = &sheet.name;
    let due = sheet.due_on.as_deref();
    let instructions = sheet.instructions.as_deref().map(|words| format!("{words}\n\n")).unwrap_or_default();
    let (subject, first) = match (about, is_french) {
        (About::Begun, true) => {
            let until = due.map(|day| format!(", jusqu’au {}", french_day(day))).unwrap_or_default();
            (
                format!("À vérifier sur le terrain : « {name} »"),
                format!("La campagne « {name} » a commencé{until}. Il reste {total} km à vérifier :"),
            )
        }
        (About::Overdue, true) => {
            let day = french_day(due.unwrap_or_default());
            (
                format!("La campagne « {name} » est en retard"),
                format!("La campagne « {name} » devait finir le {day}. Il reste {total} km à vérifier :"),
            )
        }
        (About::Begun, false) => {
            let until = due.map(|day| format!(" and ends on {day}")).unwrap_or_default();
            (
                format!("To check on the ground: “{name}”"),
                format!("The campaign “{name}” has begun{until}. {total} km are left to check:"),
            )
        }
        (About::Overdue, false) => (
            format!("The campaign “{name}” is overdue"),
            format!("The campaign “{name}” was to end on {}. {total} km are left to check:", due.unwrap_or_default()),
        ),
    };
    let text = if is_french {
        format!(
            "Bonjour,\n\n{first}\n\n{list}\n{instructions}Sur le terrain, avec ou sans réseau :\n\n{url}/terrain/\n\nL’avancement :\n\n{url}/campagnes\n\nJalon\n"
        )
    } else {
        format!(
            "Hello,\n\n{first}\n\n{list}\n{instructions}On the ground, with or without a network:\n\n{url}/terrain/\n\nThe progress:\n\n{url}/en/campagnes\n\nJalon\n"
        )
    };
    Letter::new(user.email.clone(), subject, text)
}

/// `15/04/2026`, of `2026-04-15`.
fn french_day(day: &str) -> String {
    day.split('-').rev().collect::<Vec<_>>().join("/")
}
