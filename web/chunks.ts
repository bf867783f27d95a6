/** A path inside a package or one of the folders of this project, on any system. */
const within = (path: string) => new RegExp(path.replaceAll('/', '[\\\\/]'))

/**
 * Modules that always load together, in one file each: a hundred small files compress badly and take a hundred requests. A group
 * contains its dependencies, except those that an earlier group has, so that no group needs a later one. Modules that no group
 * names are split by the pages that use them.
 */
export const chunks = [
  // Of the map alone: it changes with its releases only.
  { name: 'maplibre', priority: 5, test: within('node_modules/maplibre-gl/dist/maplibre-gl\\.mjs') },
  // What fetches the others: the first script needs it, and begins with the router before `base` is there.
  { name: 'fetch', priority: 6, test: /vite[\\/]preload-helper/ },
  // Every page, the one where people sign in among them: neither component library nor router in it.
  {
    name: 'base',
    priority: 4,
    test: within(
      [
        'node_modules/(react|react-dom|scheduler)/',
        'src/i18n/\\w+\\.ts',
        'src/api/(http|problem|payload|signed-in-user|backurl)\\.ts',
        'src/app/(mount|start|SignIn)\\.ts',
        'src/ui/(Brand|format|page-meta|useLocaleSwitch|theme/scheme|button/Button\\.|feedback/(Banner|toast)|field/(Field|inputs|TotpField))',
        'src/records/problem-text',
      ].join('|'),
    ),
  },
  // Every page but those of the sign-in.
  {
    name: 'router',
    priority: 3.5,
    test: within(
      'node_modules/@tanstack/(router-core|react-router|history|react-store|store)/|src/app/(app|router)\\.ts|src/ui/button/ButtonLink',
    ),
  },
  // Around every page of a signed-in user.
  {
    name: 'shell',
    priority: 3,
    test: within('src/app/(layout|session)/(?!MoreDrawer|AccountPanel)|src/api/(query-client|session|client)\\.ts'),
  },
  // Lists.
  {
    name: 'list',
    priority: 2,
    test: within(
      'src/(ui/(PageHeader|list/MapSwitch|badge/|feedback/EmptyState)|records/(badge/|list/(ResourceList|FilterBar|ColumnChoice|useListState|list-state)|form/vocabulary|custom-fields/useCustomList))',
    ),
  },
  // What lists fetch later and forms need at once: without a group of their own they would be in `form`, which lists would then fetch. The
  // number field also: pages without a form have it.
  {
    name: 'later',
    priority: 1.5,
    test: within('src/(ui/(dialog/ConfirmDialog|field/NumberBox)|records/picker/(useRecordChoices|record-name))'),
  },
  // Sheets.
  {
    name: 'form',
    priority: 1,
    test: within('src/(ui/Card|records/form/(ResourceForm|fields|choice-fields|record-fields|useResourceForm)\\.)'),
  },
]
