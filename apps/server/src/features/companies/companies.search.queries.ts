import { containing } from '../../platform/lists/lists.ts'
import { patternOf } from '../../platform/lists/sought.ts'
import { type SQL, sql as tag } from '../../platform/postgres/sql.ts'
import { companies } from './companies.table.ts'

/** Companies by name, company name and e-mail; also rows of an earlier version whose words are not folded yet. All without words. */
export function companiesLike(searchParam = ''): SQL | undefined {
  const { words, name, companyName, email } = companies
  const pattern = patternOf(searchParam)
  const later = tag`${words} = '' and ${containing(searchParam, name, companyName, email)}`
  return pattern ? tag`(${words} like ${pattern} or ${later})` : undefined
}
