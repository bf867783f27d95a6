/** MapLibre's own words, where the page is French. */
export const FRENCH = {
  'AttributionControl.ToggleAttribution': 'Afficher ou masquer les sources',
  'CooperativeGesturesHandler.WindowsHelpText': 'Ctrl + molette pour zoomer sur la carte',
  'CooperativeGesturesHandler.MacHelpText': '⌘ + molette pour zoomer sur la carte',
  'CooperativeGesturesHandler.MobileHelpText': 'Deux doigts pour déplacer la carte',
  'Marker.Title': 'Repère',
  'NavigationControl.ZoomIn': 'Zoomer',
  'NavigationControl.ZoomOut': 'Dézoomer',
}
