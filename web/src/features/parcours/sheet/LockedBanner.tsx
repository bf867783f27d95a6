import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '@/i18n'
import { useCan, useMe } from '@/api/session'
import { Button } from '@/ui/button/Button'
import { Banner } from '@/ui/feedback/Banner'
import { toast, toastError } from '@/ui/feedback/toast'
import { problemText } from '@/records/problem-text'
import { DuplicateDialog } from '../dialogs/lazy'
import { useSheet } from './context'
import { parcoursQuery, publishOnMine, removeFromMine } from './queries'

type Action = 'publish' | 'unpublish' | 'add' | 'remove'

/** For a parcours of another white-label, or a role that only reads: why it cannot be changed, and which actions remain. */
export function LockedBanner() {
  const { t } = useTranslation('sheet')
  const { parcours } = useSheet()
  const me = useMe()
  const mayWrite = useCan('content.write')
  const mayPublish = useCan('content.publish')
  const cache = useQueryClient()
  const [duplicating, setDuplicating] = useState(false)
  const mine = parcours.white_labels.find(({ id }) => id === me.active_white_label_id)
  const act = useMutation({
    mutationFn: (what: Action) =>
      what === 'remove'
        ? removeFromMine(parcours.id, me.active_white_label_id)
        : publishOnMine(parcours.id, me.active_white_label_id, what === 'publish'),
    onSuccess: async (_, what) => {
      await cache.invalidateQueries({ queryKey: parcoursQuery(parcours.id).queryKey, exact: true })
      void cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === 'parcours' && queryKey[1] !== parcours.id })
      toast({ text: t(`mine.done.${what}`) })
    },
    onError: (error) => toastError(t('error.because', { what: t('error.action'), why: problemText(error) })),
  })
  if (parcours.locked_reason === 'role')
    return (
      <div style={{ marginBottom: 16 }}>
        <Banner tone="lock">{t('locked.role')}</Banner>
      </div>
    )
  const button = (what: Action, look: 'primary' | 'default' | 'ghost') => (
    <Button
      look={look}
      busy={act.isPending && act.variables === what}
      disabledReason={mayPublish ? undefined : t('notAllowed')}
      onClick={() => act.mutate(what)}
    >
      {t(`mine.${what}`)}
    </Button>
  )
  return (
    <div style={{ marginBottom: 16 }}>
      <Banner
        tone="lock"
        actions={
          <>
            {mine?.published ? button('unpublish', 'default') : button('publish', 'primary')}
            {mine === undefined ? button('add', 'default') : !mine.published && button('remove', 'ghost')}
            <Button disabledReason={mayWrite ? undefined : t('notAllowed')} onClick={() => setDuplicating(true)}>
              {t('menu.duplicateShort')}
            </Button>
          </>
        }
      >
        <strong>{t('locked.owner', { owner: parcours.white_label.name })}</strong>{' '}
        {mine?.published ? t('locked.onMine') : t('locked.canPublish')}
      </Banner>
      {duplicating && <DuplicateDialog parcours={parcours} onClose={() => setDuplicating(false)} />}
    </div>
  )
}
