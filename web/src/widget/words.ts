const fr = {
  lang: 'fr',
  loading: 'Chargement…',
  none: 'Aucun parcours à afficher pour le moment.',
  more: 'Afficher plus de parcours',
  open: 'Voir la fiche',
  gpx: 'Télécharger le GPX',
  newTab: ' (nouvel onglet)',
  map: 'Carte',
  noMap: 'La carte ne peut pas être affichée ici.',
  loop: 'Boucle',
  oneWay: 'Aller simple',
  ascent: 'D+',
  profile: 'Profil : de {a} à {b} d’altitude',
  photo: 'Photo : ',
  origin:
    'Le site {site} n’est pas autorisé à montrer ces parcours. Demandez à la structure qui les publie de l’ajouter aux sites autorisés.',
  sandbox: 'Cette page n’appartient à aucun site. Dans un cadre, ajoutez « allow-same-origin » à son « sandbox ».',
  key: 'La clé de ce widget n’est pas la bonne. Copiez de nouveau son code dans Jalon.',
  gone: 'Ce parcours n’est pas publié, ou n’a pas de tracé.',
  busy: 'Trop de demandes pour le moment. Rechargez la page dans une minute.',
  unset: 'Ce widget ne dit pas quoi montrer. Copiez de nouveau son code dans Jalon.',
  offline: 'Les parcours n’ont pas pu être chargés. Vérifiez la connexion, puis rechargez la page.',
}

export type Words = typeof fr

const en: Words = {
  lang: 'en',
  loading: 'Loading…',
  none: 'No route to show at the moment.',
  more: 'Show more routes',
  open: 'See the route',
  gpx: 'Download the GPX',
  newTab: ' (new tab)',
  map: 'Map',
  noMap: 'The map cannot be shown here.',
  loop: 'Loop',
  oneWay: 'One way',
  ascent: '↑',
  profile: 'Profile: elevation from {a} to {b}',
  photo: 'Photo: ',
  origin: 'The site {site} is not allowed to show these routes. Ask their publisher to add it to the allowed sites.',
  sandbox: 'This page belongs to no site. In a frame, add “allow-same-origin” to its “sandbox”.',
  key: 'The key of this widget is not the right one. Copy its code from Jalon again.',
  gone: 'This route is not published, or has no trace.',
  busy: 'Too many requests for now. Reload the page in a minute.',
  unset: 'This widget does not say what to show. Copy its code from Jalon again.',
  offline: 'The routes could not be loaded. Check the connection, then reload the page.',
}

/** The widget's own words, and the language they are in: French where it is asked for, English everywhere else. */
export const wordsOf = (language: string): Words => (language.startsWith('fr') ? fr : en)
