import { CountryField } from './choice-fields'
import { TextField } from './fields'
import classes from '@/records/resource/resource.module.css'

/** Street, postcode, town and country: under one field, or as separate fields. */
export function AddressFields({ f, within }: { f: (name: string) => { name: string; label: string }; within?: string }) {
  const at = (part: string) => (within === undefined ? f(part) : { ...f(part), name: `${within}.${part}` })
  return (
    <>
      <TextField {...at(within === undefined ? 'address' : 'street')} />
      <div className={classes['two']}>
        <TextField {...at('postcode')} />
        <TextField {...at('city')} />
        <CountryField {...at('country')} />
      </div>
    </>
  )
}

/** An address as a form holds it: all its parts, absent or not. */
export const addressValue = (
  address: { street: string | null; postcode: string | null; city: string | null; country: string | null } | undefined,
) => ({
  street: address?.street ?? null,
  postcode: address?.postcode ?? null,
  city: address?.city ?? null,
  country: address?.country ?? null,
})
