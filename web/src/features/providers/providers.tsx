import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconLinkOff from '@tabler/icons-react/dist/esm/icons/IconLinkOff.mjs'
import { useMutation } from '@tanstack/react-query'
import type { ProviderLink } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Badge } from '@/ui/badge/Badge'
import { Button } from '@/ui/button/Button'
import { toast, toastError } from '@/ui/feedback/toast'
import { Banner } from '@/ui/feedback/Banner'
import { format } from '@/ui/format'
import { LinkBox } from '@/ui/LinkBox'
import { problemText } from '@/records/problem-text'
import { QrCode } from '@/records/QrCode'
import { nameColumn, updatedColumn, useBasicSorts } from '@/records/resource/columns'
import { apiOf, type ResourceDef } from '@/records/resource/define'
import { pagesOf } from '@/records/resource/pages'
import classes from '@/records/resource/resource.module.css'
import { Around, Place, Who } from './fields'

/** The links of providers: a hotel or a hire shop gets an address with the parcours near its door. */
const def: ResourceDef<ProviderLink> = {
  kind: 'provider_link',
  queryKey: ['provider_link'],
  base: '/api/v1/provider-links',
  path: '/marque-blanche-prestataire',
  placeOf: (id) => `/marque-blanche-prestataire/${id}`,
  area: 'providers',
  group: 'tools',
  may: 'content.write',
  abilities: { history: true, uses: false },
  titleOf: ({ name }) => name,
  list: {
    config: { filterKeys: ['revoked'], defaultSort: 'title' },
    useColumns() {
      const { t } = useTranslation('providers')
      return [
        nameColumn(def, { name: 'name', facts: ({ address }) => address ?? '' }),
        { key: 'state', header: t('state'), width: '130px', render: (link) => <State link={link} /> },
        { key: 'opened', header: t('opened'), width: '110px', render: ({ opened }) => format.number(opened) },
        {
          key: 'radius',
          header: t('field.radius_km'),
          width: '110px',
          phone: 'hidden',
          render: ({ radius_km: radius }) => format.unit(radius ?? 15, 'km'),
        },
        { key: 'white_label', header: t('owner'), width: '15%', phone: 'hidden', render: ({ white_label }) => white_label.name },
        updatedColumn(),
      ]
    },
    useFilters() {
      const { t } = useTranslation('providers')
      return [
        {
          key: 'revoked',
          label: t('state'),
          kind: 'one',
          choices: [
            { value: 'false', label: t('works') },
            { value: 'true', label: t('revoked') },
          ],
        },
      ]
    },
    useSorts: () => useBasicSorts(),
  },
  form: {
    toValues: (record) => ({
      name: record?.name ?? '',
      tagline: record?.tagline ?? {},
      logo_media_id: record?.logo_media_id ?? null,
      website: record?.website ?? '',
      location: record?.location ?? null,
      address: record?.address ?? '',
      radius_km: record === null ? 15 : record.radius_km,
      practice_ids: record?.practice_ids ?? [],
      theme_ids: record?.theme_ids ?? [],
      language: record?.language ?? 'fr',
      note: record?.note ?? '',
    }),
    pointsTo: { practice_ids: 'practice_type', theme_ids: 'parcours_theme' },
    sections: [
      { key: 'link', names: [], onlySaved: true, Fields: Link },
      { key: 'who', names: ['name', 'tagline', 'logo_media_id', 'website'], Fields: Who },
      { key: 'place', names: ['location', 'address'], Fields: Place },
      { key: 'around', names: ['radius_km', 'practice_ids', 'theme_ids', 'language', 'note'], Fields: Around },
    ],
    Facts: ({ record }) => <State link={record} />,
    Actions: Revoke,
    Notices: ({ record }) => <Revoked link={record} />,
    historyValues: ({ revoked }) => ({ revoked }),
  },
}

function State({ link: { revoked } }: { link: ProviderLink }) {
  const { t } = useTranslation('providers')
  return (
    <Badge tone={revoked ? 'neutral' : 'ok'} icon={revoked ? IconLinkOff : IconCircleCheck}>
      {t(revoked ? 'revoked' : 'works')}
    </Badge>
  )
}

/** The address to hand out, and its code to print. */
function Link({ record }: { record: ProviderLink | null }) {
  const { t } = useTranslation('providers')
  if (record === null) return null
  return (
    <>
      <LinkBox url={record.url} label={t('linkLabel', { name: record.name })} works={!record.revoked} />
      <QrCode path={`/api/v1/provider-links/${record.id}`} name={`lien-${record.id}-qr`} />
      <p className="small muted">{t('openedTimes', { count: record.opened })}</p>
    </>
  )
}

function Revoked({ link }: { link: ProviderLink }) {
  const { t } = useTranslation('providers')
  return link.revoked ? <Banner tone="warn">{t('revokedHint')}</Banner> : null
}

/** Ends the link, or lets it work again: the address and its printed code stay the same. */
function Revoke({ record, cacheRecord }: { record: ProviderLink; cacheRecord: (record: ProviderLink) => void }) {
  const { t } = useTranslation('providers')
  const turn = useMutation({
    mutationFn: () => apiOf(def).save(record.id, record.version, { revoked: !record.revoked }),
    onSuccess: (saved) => {
      cacheRecord(saved)
      toast({ text: t(saved.revoked ? 'revokedDone' : 'openedAgain') })
    },
    onError: (error) => toastError(t('resource:because', { what: t('revokeFailed'), why: problemText(error) })),
  })
  return (
    <Button
      busy={turn.isPending}
      disabledReason={record.editable ? undefined : t('resource:notAllowed')}
      className={classes['action'] ?? ''}
      onClick={() => turn.mutate()}
    >
      {t(record.revoked ? 'openAgain' : 'revoke')}
    </Button>
  )
}

const pages = pagesOf(def)
/** The list and the sheet as everywhere; one is made in steps. */
export const providers = { ...pages, create: () => import('./NewPage').then(({ newPage }) => newPage(def)) }
