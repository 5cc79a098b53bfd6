import type { NamedReference } from '../refs.ts'
import { textOf, type XmlElement } from '../xml.ts'

/**
 * Names of references by the path where ISO 20022 puts them. Where versions differ, both are here.
 */
type Sources = ReadonlyMap<string, string>

/** What in a `TxDtls` may carry our id, or says whom a payment was for. */
const OF_DETAIL: Sources = new Map(
  Object.entries({
    'Refs/MsgId': 'messageId',
    'Refs/PmtInfId': 'paymentInfoId',
    'Refs/InstrId': 'instrId',
    'Refs/EndToEndId': 'endToEndId',
    'Refs/UETR': 'uetr',
    'Refs/TxId': 'txId',
    'Refs/MndtId': 'mandateId',
    'Refs/ChqNb': 'checkNumber',
    'Refs/ClrSysRef': 'clearingRef',
    'Refs/AcctOwnrTxId': 'accountOwnerTxId',
    'Refs/AcctSvcrTxId': 'accountServicerTxId',
    'Refs/MktInfrstrctrTxId': 'marketInfrastructureTxId',
    'Refs/PrcgId': 'processingId',
    'Refs/Prtry/Ref': 'proprietary',
    'RmtInf/Ustrd': 'remittance',
    'RmtInf/Strd/CdtrRefInf/Ref': 'creditorRef',
    'RmtInf/Strd/RfrdDocInf/Nb': 'documentNumber',
    'RmtInf/Strd/AddtlRmtInf': 'additionalRemittance',
    'RltdRmtInf/RmtId': 'remittanceId',
    'RtrInf/Rsn/Cd': 'reasonCode',
    'RtrInf/Rsn/Prtry': 'reasonCode',
    'RtrInf/AddtlInf': 'reasonText',
    'RltdPties/Cdtr/Nm': 'payee',
    'RltdPties/Cdtr/Pty/Nm': 'payee',
    'RltdPties/CdtrAcct/Id/IBAN': 'payeeAccount',
    'RltdPties/CdtrAcct/Id/Othr/Id': 'payeeAccount',
    AddtlTxInf: 'additionalInfo',
  }),
)

const OF_BATCH: Sources = new Map(
  Object.entries({
    'Btch/MsgId': 'messageId',
    'Btch/PmtInfId': 'paymentInfoId',
  }),
)

const OF_ENTRY: Sources = new Map(
  Object.entries({
    NtryRef: 'entryRef',
    AddtlNtryInf: 'additionalInfo',
  }),
)

/** Free text comes in several pieces, so it is a list also where there is one. */
export const LISTS: ReadonlySet<string> = new Set(['remittance', 'additionalRemittance'])

/** The references of an `Ntry` itself. */
export function entryReferences(entry: XmlElement): NamedReference[] {
  return [...referencesIn(entry, OF_ENTRY)]
}

/** The references of the batch that an `NtryDtls` states. */
export function batchReferences(details: XmlElement): NamedReference[] {
  return [...referencesIn(details, OF_BATCH)]
}

/** The references of a `TxDtls`. */
export function detailReferences(detail: XmlElement): NamedReference[] {
  return [...referencesIn(detail, OF_DETAIL)]
}

function* referencesIn(
  element: XmlElement,
  sources: Sources,
  above = '',
): Generator<NamedReference> {
  for (const child of element.children) {
    const path = above + child.name
    const name = sources.get(path)
    if (name !== undefined) yield [name, textOf(child)]
    if (child.children.length > 0) yield* referencesIn(child, sources, `${path}/`)
  }
}
