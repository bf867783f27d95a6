import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconCircleX from '@tabler/icons-react/dist/esm/icons/IconCircleX.mjs'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import IconFlag from '@tabler/icons-react/dist/esm/icons/IconFlag.mjs'
import { useState } from 'react'
import type { Review } from '@/api/types'
import { useCan } from '@/api/session'
import { useTranslation } from '@/i18n'
import { Badge } from '@/ui/badge/Badge'
import { Button } from '@/ui/button/Button'
import { format } from '@/ui/format'
import { AnswerDialog } from './AnswerDialog'
import { History } from './History'
import { RefuseDialog } from './RefuseDialog'
import frame from '@/records/list/ListFrame.module.css'
import classes from './reviews.module.css'
import { Stars } from './Stars'
import { useDecideReview } from './useFeedback'

const states = {
  waiting: { tone: 'warn', icon: IconClock },
  published: { tone: 'ok', icon: IconCircleCheck },
  refused: { tone: 'neutral', icon: IconCircleX },
} as const

/** A review, with what its reader on the staff can do. */
export function ReviewItem({ review }: { review: Review }) {
  const { t } = useTranslation('reviews')
  const { tone, icon } = states[review.state]
  return (
    <li className={frame['item']} data-review={review.id}>
      <div className={frame['head']}>
        <Stars rating={review.rating} />
        <strong>{review.author}</strong>
        <Badge tone={tone} icon={icon}>
          {t(`state.${review.state}`)}
        </Badge>
        {review.complaints > 0 && (
          <Badge tone="danger" icon={IconFlag}>
            {t('complaints', { count: review.complaints })}
          </Badge>
        )}
        <span className="small muted end">{format.instant(review.sent_at)}</span>
      </div>
      {review.title !== '' && <h3 lang={review.language}>{review.title}</h3>}
      <p className={frame['words']} lang={review.language}>
        {review.text}
      </p>
      <p className="small muted">
        {review.walked_on !== null && `${t('walkedOn', { day: format.day(review.walked_on) })} · `}
        {review.email === null ? t('emailHidden') : <a href={`mailto:${review.email}`}>{review.email}</a>}
      </p>
      {review.objection !== null && (
        <p className="small">
          {t('refusedFor', { why: t(`objection.${review.objection}`) })}
          {review.objection_words !== '' && ` ${review.objection_words}`}
        </p>
      )}
      {review.answer !== '' && (
        <div className={classes['answer']}>
          <p className="small muted">{t('answeredAt', { when: format.instant(review.answered_at ?? review.sent_at) })}</p>
          <p className={frame['words']}>{review.answer}</p>
        </div>
      )}
      <ReviewButtons review={review} />
      <History happened={review.history} />
    </li>
  )
}

function ReviewButtons({ review }: { review: Review }) {
  const { t } = useTranslation('reviews')
  const decide = useDecideReview()
  const reason = useCan('content.publish') ? undefined : t('notAllowed')
  const [dialog, setDialog] = useState<'refuse' | 'answer' | null>(null)
  const close = () => setDialog(null)
  const about = { review: review.id }
  return (
    <div className={classes['buttons']}>
      {review.state !== 'published' && (
        <Button
          size="small"
          look={review.state === 'waiting' ? 'primary' : 'default'}
          disabledReason={reason}
          busy={decide.isPending}
          onClick={() => decide.mutate({ ...about, decision: { action: 'publish' } })}
        >
          {t('publish')}
        </Button>
      )}
      {review.state !== 'refused' && (
        <Button size="small" disabledReason={reason} onClick={() => setDialog('refuse')}>
          {t(review.state === 'published' ? 'withdraw' : 'refuse')}
        </Button>
      )}
      {review.state === 'published' && (
        <Button size="small" disabledReason={reason} onClick={() => setDialog('answer')}>
          {t(review.answer === '' ? 'answer' : 'changeAnswer')}
        </Button>
      )}
      {review.complaints > 0 && review.state === 'published' && (
        <Button
          size="small"
          look="ghost"
          disabledReason={reason}
          onClick={() => decide.mutate({ ...about, decision: { action: 'dismiss' } })}
        >
          {t('dismiss')}
        </Button>
      )}
      <RefuseDialog opened={dialog === 'refuse'} onClose={close} onRefuse={(decision) => decide.mutateAsync({ ...about, decision })} />
      <AnswerDialog
        opened={dialog === 'answer'}
        onClose={close}
        answer={review.answer}
        onAnswer={(text) => decide.mutateAsync({ ...about, decision: { action: 'answer', text } })}
      />
    </div>
  )
}
