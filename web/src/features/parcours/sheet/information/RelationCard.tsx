import { Link } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { useContext } from 'react'
import { useTranslation } from '@/i18n'
import type { Relation } from '@/api/types'
import { ClosedBadge } from '@/records/badge/record-badges'
import { Card } from '@/ui/Card'
import { ReadOnly } from '@/ui/field/Field'
import { Radios } from '@/ui/field/inputs'
import { useField } from '@/records/form/form-context'
import { ReadOnlyContext } from '@/records/form/read-only'
import { textOf } from '@/ui/format'
import { ChildRequests, ParentDecision } from '../ChildRequests'
import { useSheet } from '../context'
import { ParcoursPicker } from '../ParcoursPicker'
import { parcoursQuery } from '../queries'
import { useShown } from '../Shown'
import classes from '../sheet.module.css'

const relations: readonly Relation[] = ['none', 'model_only', 'child', 'child_only']

/** Models and children: under which parcours this one is shown, from which it was made, and which are shown under it. */
export function RelationCard() {
  const { t } = useTranslation('sheet')
  const { parcours } = useSheet()
  const relation = useField<Relation>('relation')
  const readOnly = useContext(ReadOnlyContext)
  const isChild = relation.value === 'child' || relation.value === 'child_only'
  const parented = useShown(['parent_id'])
  const modelled = useShown(['model_id'])
  // Children of other white-labels are listed with the decision about them.
  const children = parcours.children.filter(({ id }) => !(parcours.child_requests ?? []).some((request) => request.id === id))
  return (
    <Card title={t('relation.title')}>
      <div className={classes['fields']}>
        {readOnly ? (
          <ReadOnly label={t('field.relation')}>{t(`relation.${relation.value}`)}</ReadOnly>
        ) : (
          <Radios<Relation>
            label={t('field.relation')}
            data-field="relation"
            value={relation.value}
            onChange={relation.set}
            choices={relations.map((value) => ({ value, label: t(`relation.${value}`), hint: t(`relation.hint.${value}`) }))}
          />
        )}
        <div className={classes['twoColumns']}>
          {(isChild || parented) && (
            <ParcoursField name="parent_id" label={t('field.parent_id')} hint={t('relation.parentHint')} required={isChild} />
          )}
          {modelled && <ParcoursField name="model_id" label={t('field.model_id')} hint={t('relation.modelHint')} />}
        </div>
        <ParentDecision />
        <ChildRequests />
        {children.length > 0 && (
          <div>
            <p className={classes['choiceLabel']}>{t('relation.children', { count: children.length })}</p>
            <ul className={classes['uses']}>
              {children.map(({ id, title, closed }) => (
                <li key={id}>
                  <Link to="/parcours/$id" params={{ id: String(id) }}>
                    {textOf(title)}
                  </Link>{' '}
                  {closed && <ClosedBadge />}
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
    </Card>
  )
}

function ParcoursField({
  name,
  label,
  hint,
  required = false,
}: {
  name: 'parent_id' | 'model_id'
  label: string
  hint: string
  required?: boolean
}) {
  const { t } = useTranslation('sheet')
  const { parcours } = useSheet()
  const { value, set, error } = useField<number | null>(name)
  const readOnly = useContext(ReadOnlyContext)
  const chosen = useQuery({ ...parcoursQuery(value ?? 0), enabled: value !== null }).data
  const words = value === null ? null : chosen === undefined ? t('parcoursNumber', { id: value }) : textOf(chosen.title)
  const link = value !== null && (
    <Link to="/parcours/$id" params={{ id: String(value) }}>
      {t('relation.openIt', { title: words })}
    </Link>
  )
  if (readOnly) return <ReadOnly label={label}>{link || null}</ReadOnly>
  return (
    <ParcoursPicker
      label={label}
      hint={
        <>
          {hint} {link}
        </>
      }
      error={error}
      required={required}
      path={name}
      value={value}
      onChange={set}
      except={parcours.id}
    />
  )
}
