import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs'
import IconArrowLoopRight from '@tabler/icons-react/dist/esm/icons/IconArrowLoopRight.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useEffect, useRef } from 'react'
import { useTranslation } from '@/i18n'
import { payload } from '@/api/payload'
import { Button, IconButton } from '@/ui/button/Button'
import { Field } from '@/ui/field/Field'
import { SelectInput, TextArea, TextInput } from '@/ui/field/inputs'
import { NumberBox } from '@/ui/field/NumberBox'
import { remove, reorderTo } from '../editor/actions'
import { useEditor, useEditorState } from '../editor/context'
import type { ShownStep } from '../editor/shown'
import { present } from '../editor/state'
import { withStep, withText } from '../logic/operations'
import { type Step, type StepKind, stepKinds } from '../logic/revision'
import { useStepName } from '../words'
import { StepPlace } from './StepPlace'
import { focusRow } from './StepRow'
import { ToNext } from './ToNext'
import classes from './steps.module.css'

const none: readonly string[] = []

/** Everything of one step: its kind, its words, its place, the way to the next one. */
export function StepForm({ shown, onBack }: { shown: ShownStep; onBack: () => void }) {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const back = useRef<HTMLButtonElement>(null)
  const rank = useEditorState((state) => present(state).steps.findIndex((one) => one.key === shown.step.key))
  const count = useEditorState((state) => present(state).steps.length)
  const nameOf = useStepName()
  const { step, label } = shown
  // For a step that was just placed, the name gets the focus.
  const naming = useEditorState((state) => state.naming?.key === shown.step.key)
  useEffect(() => {
    if (!naming) back.current?.focus()
    // Once, when it opens.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [])

  const change = (name: string, values: Partial<Omit<Step, 'key'>>) =>
    editor.act(`edit ${step.key} ${name}`, (revision) => withStep(revision, step.key, values), { id: 'renamed', step: label }, true)
  const close = () => {
    onBack()
    focusRow(step.key)
  }
  return (
    // Escape, from any of its fields, is the button "back".
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={classes['form']}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.preventDefault()
        close()
      }}
    >
      <div className={classes['head']}>
        <IconButton
          ref={back}
          look="ghost"
          size="small"
          label={t('form.back')}
          icon={<IconArrowLeft size={18} stroke={1.75} aria-hidden />}
          onClick={close}
        />
        <h2 className="ellipsis grow">{nameOf(step, label)}</h2>
        <IconButton
          look="ghost"
          size="small"
          label={t('form.up')}
          disabledReason={rank > 0 ? undefined : t('form.up')}
          icon={<IconArrowUp size={16} stroke={1.75} aria-hidden />}
          onClick={() => reorderTo(editor, step.key, rank - 1)}
        />
        <IconButton
          look="ghost"
          size="small"
          label={t('form.down')}
          disabledReason={rank < count - 1 ? undefined : t('form.down')}
          icon={<IconArrowDown size={16} stroke={1.75} aria-hidden />}
          onClick={() => reorderTo(editor, step.key, rank + 1)}
        />
      </div>
      <div className={classes['fields']}>
        <Field label={t('form.kind')}>
          {(wiring) => (
            <SelectInput
              {...wiring}
              value={step.kind}
              choices={stepKinds.map((kind) => ({ value: kind, label: t(`kind.${kind}`) }))}
              onChange={(value) => {
                const kind = stepKinds.find((one): one is StepKind => one === value)
                if (kind) change('kind', { kind })
              }}
            />
          )}
        </Field>
        <StepTexts step={step} label={label} naming={naming} />
        {step.kind === 'nights' && (
          <NumberBox label={t('form.nights')} value={step.nights} onChange={(nights) => change('nights', { nights })} />
        )}
        <StepPlace shown={shown} />
        <ToNext step={step} />
        <Button
          icon={<IconArrowLoopRight size={16} stroke={1.75} aria-hidden />}
          onClick={() => {
            editor.set({ step: step.key })
            editor.choose('loop')
          }}
        >
          {t('tool.loop')}
        </Button>
        <Button
          icon={<IconTrash size={16} stroke={1.75} aria-hidden />}
          onClick={() => {
            const before = remove(editor, step.key)
            onBack()
            focusRow(before)
          }}
        >
          {t('form.remove')}
        </Button>
      </div>
    </div>
  )
}

function StepTexts({ step, label, naming }: { step: Step; label: string; naming: boolean }) {
  const { t } = useTranslation('trace')
  const editor = useEditor()
  const named = (language: string) =>
    language === 'fr' || language === 'en' ? t(`form.languages.${language}`) : t('form.languages.other', { code: language })
  const write = (field: 'title' | 'description', language: string) => (text: string) =>
    editor.act(
      `edit ${step.key} ${field} ${language}`,
      (revision) => withText(revision, step.key, field, language, text),
      { id: 'renamed', step: label },
      true,
    )
  const languages = payload().content_languages
  const names = useEditorState((state) => (naming ? (state.naming?.names ?? none) : none))
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (naming) first.current?.focus()
  }, [naming])
  return (
    <>
      {languages.map((language) => (
        <Field key={`title-${language}`} label={t('form.title', { language: named(language) })}>
          {(wiring) => (
            <TextInput
              {...wiring}
              {...(language === languages[0] ? { ref: first } : {})}
              lang={language}
              value={step.title[language] ?? ''}
              onChange={write('title', language)}
            />
          )}
        </Field>
      ))}
      {names.length > 0 && (
        <div className="row wrap" role="group" aria-label={t('form.namesOfMap')}>
          <span className="muted">{t('form.namesOfMap')}</span>
          {names.map((name) => (
            <Button key={name} look="link" size="small" onClick={() => write('title', languages[0] ?? 'fr')(name)}>
              {name}
            </Button>
          ))}
        </div>
      )}
      {languages.map((language) => (
        <Field key={`description-${language}`} label={t('form.description', { language: named(language) })}>
          {(wiring) => (
            <TextArea
              {...wiring}
              lang={language}
              rows={3}
              value={step.description[language] ?? ''}
              onChange={write('description', language)}
            />
          )}
        </Field>
      ))}
    </>
  )
}
