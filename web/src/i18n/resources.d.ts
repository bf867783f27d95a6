import 'i18next'
import type common from './fr/common.json'
import type errors from './fr/errors.json'
import type help from './fr/help.json'
import type home from './fr/home.json'
import type parcours from './fr/parcours.json'
import type login from './fr/login.json'
import type settings from './fr/settings.json'
import type shell from './fr/shell.json'
import type trace from './fr/trace.json'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common'
    returnNull: false
    /** One line an area: a key that does not exist is then an error of the compiler. */
    resources: {
      common: typeof common
      errors: typeof errors
      help: typeof help
      home: typeof home
      login: typeof login
      parcours: typeof parcours
      settings: typeof settings
      shell: typeof shell
      trace: typeof trace
    }
  }
}
