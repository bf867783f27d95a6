import { useRef, useState, type ReactNode } from 'react'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import classes from './Steps.module.css'

export interface Step {
  title: string
  /** Whether something is still to be filled in. */
  incomplete: boolean
  /** What is to be filled in, where it is not every field. */
  missing?: string
  /** The number of fields with an invalid value; they show their faults once `refuse` was called. */
  wrong?: number
  content: ReactNode
  /** Called when the user tries to continue in spite of faults: the fields then show them. */
  refuse?: () => void
}

interface StepsProps {
  steps: readonly Step[]
  last?: ReactNode
  onLast?: () => void
  /** Which step is shown, where something else may say so too: a refusal of a field in it. */
  shown?: readonly [at: number, show: (at: number) => void]
}

/** A form in steps: the next one opens when all of this one is filled in. On the last step, `last` replaces « Continuer ». */
export function Steps({ steps, last, onLast, shown }: StepsProps) {
  const { t } = useTranslation()
  const own = useState(0)
  const [at, setAt] = shown ?? own
  const [attempted, setAttempted] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const step = steps[at]
  if (step === undefined) return null
  const go = (to: number) => {
    setAttempted(false)
    setAt(to)
    // The next step is read from its beginning.
    requestAnimationFrame(() => heading.current?.focus())
  }
  const next = () => {
    if (!step.incomplete && !step.wrong) return go(at + 1)
    setAttempted(true)
    step.refuse?.()
  }
  const isReachable = (to: number) => to < at || steps.slice(0, to).every(({ incomplete, wrong }) => !incomplete && !wrong)
  return (
    <div className={classes['steps']}>
      <ol className={classes['list']}>
        {steps.map(({ title }, index) => (
          <li key={title}>
            <button type="button" aria-current={index === at ? 'step' : undefined} disabled={!isReachable(index)} onClick={() => go(index)}>
              <span className={classes['number']}>{index + 1}</span>
              {title}
            </button>
          </li>
        ))}
      </ol>
      <form
        className={classes['form']}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (at < steps.length - 1) next()
          else onLast?.()
        }}
      >
        <h2 ref={heading} tabIndex={-1} className="visually-hidden">
          {step.title}
        </h2>
        {step.content}
        {attempted && (step.incomplete || (step.wrong ?? 0) > 0) && (
          <p className={classes['fill']} role="alert">
            {step.incomplete ? (step.missing ?? t('fillAll')) : t('form.toMend', { count: step.wrong ?? 0 })}
          </p>
        )}
        <div className={classes['actions']}>
          {at > 0 && <Button onClick={() => go(at - 1)}>{t('stepBack')}</Button>}
          {at < steps.length - 1 ? (
            <Button type="submit" look="primary">
              {t('stepOn')}
            </Button>
          ) : (
            last
          )}
        </div>
      </form>
    </div>
  )
}
