import { CountryField } from '@/ui/form/choice-fields'
import { TextField } from '@/ui/form/fields'
import type { FieldOf } from '@/ui/resource/define'
import classes from '@/ui/resource/resource.module.css'

/** Street, postcode, town and country. */
export function AddressFields({ f, street = 'address' }: { f: FieldOf; street?: string }) {
  return (
    <>
      <TextField {...f(street)} />
      <div className={classes['two']}>
        <TextField {...f('postcode')} />
        <TextField {...f('city')} />
        <CountryField {...f('country')} />
      </div>
    </>
  )
}
