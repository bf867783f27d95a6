// What every page stands on, signed in or not: no component library.
import './base.css'
import './tokens.css'
import './fonts.css'
