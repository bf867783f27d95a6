// The styles of every page, with or without a session. They need no component library.
import './base.css'
import './tokens.css'
import './fonts.css'
