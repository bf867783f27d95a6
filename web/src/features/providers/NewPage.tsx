import { useMutation, type QueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useState, useSyncExternalStore, type ReactNode } from 'react'
import type { ProviderLink } from '@/api/types'
import { ProblemError } from '@/api/problem'
import { requireCapability, useCan } from '@/api/session'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Card } from '@/ui/Card'
import { Banner } from '@/ui/feedback/Banner'
import { toast } from '@/ui/feedback/toast'
import { addressFault } from '@/records/form/address'
import { LanguagesProvider, LanguageSwitch } from '@/records/form/fields'
import { FormProvider } from '@/records/form/form-context'
import type { Values } from '@/records/form/paths'
import { Steps } from '@/ui/Steps'
import { focusFirstFault } from '@/records/form/focus'
import { FormStore } from '@/records/form/store'
import { usePageMeta } from '@/ui/page-meta'
import { PageHeader } from '@/ui/PageHeader'
import { problemText } from '@/records/problem-text'
import { apiOf, labelOf, saveErrorOf, type FieldOf, type ResourceDef } from '@/records/resource/define'
import { useCacheRecord } from '@/records/resource/queries'
import { Around, Place, Who } from './fields'
import classes from './providers.module.css'

type Def = ResourceDef<ProviderLink>

/** The page where a link is made. */
export const newPage = (def: Def) => ({
  Page: () => <NewPage def={def} />,
  texts: ['resource', 'providers'],
  load: ({ queryClient }: { queryClient: QueryClient }) => requireCapability(queryClient, def.mayMake ?? def.may),
})

const isBlank = (value: unknown) => value === null || value === undefined || value === ''

/** The step of a field: the server's refusals are shown there. */
const stepOf = (path: string): number =>
  /^(name|tagline|logo_media_id|website)\b/.test(path) ? 0 : /^(location|address)\b/.test(path) ? 1 : 2

/** A link made in three steps. */
function NewPage({ def }: { def: Def }) {
  const { t } = useTranslation('providers')
  usePageMeta([
    { label: t('resource:group.tools') },
    { label: t('resource:entity.provider_link.many'), link: { to: def.path } },
    { label: t('resource:entity.provider_link.new') },
  ])
  const navigate = useNavigate()
  const cacheRecord = useCacheRecord(def)
  const may = useCan(def.may)
  const [store] = useState(() => new FormStore<Values>(def.form.toValues(null)))
  const values = useSyncExternalStore(store.subscribe, () => store.values)
  const shown = useState(0)
  const f = useCallback<FieldOf>((name) => ({ name, label: labelOf(def.area, name) }), [def.area])
  const make = useMutation({
    mutationFn: () => apiOf(def).create(Object.fromEntries(Object.entries(values).filter(([, value]) => !isBlank(value)))),
    onSuccess: (made) => {
      cacheRecord(made)
      toast({ text: t('resource:entity.provider_link.saved') })
      return navigate({ to: def.placeOf(made.id), replace: true })
    },
    onError: (error) => {
      if (!(error instanceof ProblemError)) return
      store.setFaults(error.faults)
      const [first] = store.faultPaths()
      if (first === undefined) return
      shown[1](stepOf(first))
      // Once its step is there.
      requestAnimationFrame(() => focusFirstFault(store.faultPaths()))
    },
  })
  const step = (title: string, required: string[], content: ReactNode, addresses: string[] = []) => {
    const missing = required.filter((name) => isBlank(values[name]))
    const wrong = addresses.flatMap((name) => {
      const code = addressFault(values[name] as string | null)
      return code === undefined ? [] : [{ code, field: `/${name}` }]
    })
    return {
      title,
      incomplete: missing.length > 0,
      wrong: wrong.length,
      content,
      refuse: () => {
        store.setFaults([...missing.map((name) => ({ code: 'validation/required', field: `/${name}` })), ...wrong])
        focusFirstFault(store.faultPaths())
      },
    }
  }
  return (
    <LanguagesProvider>
      <div className={classes['page']}>
        <PageHeader title={t('resource:entity.provider_link.new')} facts={t('lead')} actions={<LanguageSwitch />} />
        <Card>
          {make.error && (
            <Banner tone="danger" live="alert">
              {t('resource:because', { what: saveErrorOf(def), why: problemText(make.error) })}
            </Banner>
          )}
          <FormProvider value={store}>
            <Steps
              shown={shown}
              steps={[
                step(t('section.who'), ['name'], <Who f={f} />, ['website']),
                step(t('section.place'), ['location'], <Place f={f} />),
                step(t('section.around'), ['radius_km', 'language'], <Around f={f} />),
              ]}
              onLast={() => {
                if (may && !isBlank(values['radius_km'])) make.mutate()
              }}
              last={
                <Button
                  type="submit"
                  look="primary"
                  busy={make.isPending}
                  disabledReason={may ? (isBlank(values['radius_km']) ? t('common:fillAll') : undefined) : t('resource:notAllowed')}
                >
                  {t('resource:entity.provider_link.create')}
                </Button>
              }
            />
          </FormProvider>
        </Card>
      </div>
    </LanguagesProvider>
  )
}
