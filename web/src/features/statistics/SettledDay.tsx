import { useEffect, useRef, useState } from 'react'
import { DateInput } from '@/ui/field/inputs'

/** A day that is typed gives other days on the way: the years 2, 20 and 202 before 2026. It is taken after this time without a key. */
const SETTLED_MS = 500
/** An earlier day is on its way to another one. */
const FIRST_DAY = '2000-01-01'

interface Props {
  value: string
  min?: string
  max?: string
  onChange: (day: string) => void
}

/** A day of the address, taken once it is typed to its end. */
export function SettledDay({ value, onChange, ...limits }: Props) {
  const [typed, setTyped] = useState<string | null>(null)
  const take = useRef(onChange)
  useEffect(() => {
    take.current = onChange
  })
  useEffect(() => {
    if (typed === null || typed < FIRST_DAY) return
    const timer = setTimeout(() => {
      take.current(typed)
      setTyped(null)
    }, SETTLED_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return <DateInput {...limits} value={typed ?? value} onChange={(day) => setTyped(day)} />
}
