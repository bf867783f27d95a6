//! Short sentences: those of an audio guide, of a step, and of what is easy to read.

use super::facts::{duration, km};
use super::spoken;
use super::template::{Says, joined};

impl Says<'_> {
    /// « C’est une boucle au départ du parking. »
    pub fn spoken_shape(&self) -> Option<String> {
        let start = self.facts.departure.as_deref();
        Some(match (self.shape(), start, self.fr) {
            (None, None, _) => return None,
            (Some(shape), None, true) => format!("C’est {shape}."),
            (Some(shape), None, false) => format!("It is {shape}."),
            (Some(shape), Some(start), true) => format!("C’est {shape}. Point de départ : {start}."),
            (Some(shape), Some(start), false) => format!("It is {shape}. Starting point: {start}."),
            (None, Some(start), true) => format!("Point de départ : {start}."),
            (None, Some(start), false) => format!("Starting point: {start}."),
        })
    }

    /// The figures in words.
    pub fn spoken_figures(&self) -> Option<String> {
        let fr = self.fr;
        let distance = self.facts.distance_m.filter(|m| *m >= 10.0).map(|m| spoken::distance(m, fr));
        let ascent = self.facts.ascent_m.filter(|m| *m >= 1.0).map(|m| spoken::height(m, fr));
        let time = self.facts.duration_s.filter(|s| *s >= 60.0).map(|s| spoken::duration(s, fr));
        let mut sentences = Vec::new();
        sentences.extend(distance.map(|it| {
            if fr {
                format!("Vous allez parcourir environ {it}.")
            } else {
                format!("You are going to cover about {it}.")
            }
        }));
        sentences.extend(
            ascent.map(|it| if fr { format!("Le chemin monte de {it}.") } else { format!("The path climbs {it}.") }),
        );
        sentences.extend(time.map(|it| if fr { format!("Prévoyez {it}.") } else { format!("Allow {it}.") }));
        (!sentences.is_empty()).then(|| sentences.join(" "))
    }

    /// « Le moulin, à 3,2 km du départ. Étape suivante : la source, à 1,1 km. »
    pub fn step(&self) -> String {
        let Some(focus) = &self.facts.focus else { return String::new() };
        let (fr, name) = (self.fr, focus.step.name.trim());
        let at = focus.step.at_m.filter(|m| *m > 0.0).map(|m| km(m, fr));
        let here = match (name.is_empty(), at, fr) {
            (true, None, _) => None,
            (true, Some(at), true) => Some(format!("Vous êtes à {at} du départ.")),
            (true, Some(at), false) => Some(format!("You are {at} from the start.")),
            (false, Some(at), true) => Some(format!("{name}, à {at} du départ.")),
            (false, Some(at), false) => Some(format!("{name}, {at} from the start.")),
            (false, None, _) => Some(format!("{name}.")),
        };
        let to_next = focus.to_next_m.filter(|m| *m > 0.0).map(|m| km(m, fr));
        let next = focus.next.as_deref().map(|next| match (to_next, fr) {
            (Some(far), true) => format!("Étape suivante : {next}, à {far}."),
            (Some(far), false) => format!("Next: {next}, {far} further."),
            (None, true) => format!("Étape suivante : {next}."),
            (None, false) => format!("Next: {next}."),
        });
        joined(&[here, next])
    }

    /// One short sentence a line.
    pub fn falc(&self) -> String {
        let fr = self.fr;
        let mut lines = Vec::new();
        lines.extend(self.title().map(|title| {
            if fr { format!("Ce parcours s’appelle {title}.") } else { format!("This route is called {title}.") }
        }));
        lines.extend(self.facts.is_loop.map(|is_loop| {
            match (is_loop, fr) {
                (true, true) => "Vous revenez au point de départ.",
                (true, false) => "You come back to the start.",
                (false, true) => "Vous ne revenez pas au point de départ.",
                (false, false) => "You do not come back to the start.",
            }
            .to_owned()
        }));
        lines.extend(self.facts.departure.as_ref().map(|start| {
            if fr { format!("Le départ est ici : {start}.") } else { format!("It starts here: {start}.") }
        }));
        lines.extend(self.facts.distance_m.filter(|m| *m > 0.0).map(|m| {
            if fr { format!("Le parcours fait {}.", km(m, fr)) } else { format!("The route is {} long.", km(m, fr)) }
        }));
        lines.extend(
            self.facts
                .duration_s
                .filter(|s| *s >= 60.0)
                .map(|s| if fr { format!("Il faut {}.", duration(s)) } else { format!("It takes {}.", duration(s)) }),
        );
        lines.extend(self.facts.ascent_m.filter(|m| *m >= 1.0).map(|m| {
            if fr { format!("Le chemin monte de {m:.0} mètres.") } else { format!("The path climbs {m:.0} metres.") }
        }));
        lines.extend(
            self.names()
                .iter()
                .take(6)
                .map(|name| if fr { format!("Vous passez ici : {name}.") } else { format!("You pass here: {name}.") }),
        );
        lines.join("\n")
    }
}
