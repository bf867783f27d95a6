// The widget: one element that shows parcours in the page of another site. It sets no cookie and keeps nothing.
import { JalonWidget } from './element'

if (!customElements.get('jalon-widget')) customElements.define('jalon-widget', JalonWidget)
