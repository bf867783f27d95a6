/** MapLibre's own words, where the page is French. */
const FRENCH = {
  'AttributionControl.ToggleAttribution': 'Afficher ou masquer les sources',
  'CooperativeGesturesHandler.WindowsHelpText': 'Ctrl + molette pour zoomer sur la carte',
  'CooperativeGesturesHandler.MacHelpText': '⌘ + molette pour zoomer sur la carte',
  'CooperativeGesturesHandler.MobileHelpText': 'Deux doigts pour déplacer la carte',
  'Marker.Title': 'Repère',
  'NavigationControl.ZoomIn': 'Zoomer',
  'NavigationControl.ZoomOut': 'Dézoomer',
}

/** The words of a map by its name, to which its keys are added. */
export const wordsOf = (label: string, french: boolean): Record<string, string> => ({
  ...(french ? FRENCH : {}),
  'Map.Title': `${label} (${french ? 'flèches pour déplacer, plus et moins pour zoomer' : 'arrows to move, plus and minus to zoom'})`,
})
