import type { Locale } from '@/i18n'

/** MapLibre's own labels, by its keys. */
export function mapWords(locale: Locale): Record<string, string> {
  if (locale === 'en') return { 'Map.Title': 'Map: arrows to move, plus and minus to zoom' }
  return {
    'AttributionControl.ToggleAttribution': 'Afficher les sources de la carte',
    'AttributionControl.MapFeedback': 'Signaler une erreur de la carte',
    'FullscreenControl.Enter': 'Plein écran',
    'FullscreenControl.Exit': 'Quitter le plein écran',
    'GeolocateControl.FindMyLocation': 'Me situer',
    'GeolocateControl.LocationNotAvailable': 'Position indisponible',
    'Map.Title': 'Carte : flèches pour déplacer, plus et moins pour zoomer',
    'Marker.Title': 'Repère',
    'NavigationControl.ResetBearing': 'Remettre le nord en haut',
    'NavigationControl.ZoomIn': 'Zoomer',
    'NavigationControl.ZoomOut': 'Dézoomer',
    'Popup.Close': 'Fermer',
    'ScaleControl.Feet': 'pi',
    'ScaleControl.Meters': 'm',
    'ScaleControl.Kilometers': 'km',
    'ScaleControl.Miles': 'mi',
    'CooperativeGesturesHandler.WindowsHelpText': 'Ctrl + molette pour zoomer la carte',
    'CooperativeGesturesHandler.MacHelpText': '⌘ + molette pour zoomer la carte',
    'CooperativeGesturesHandler.MobileHelpText': 'Deux doigts pour déplacer la carte',
  }
}
