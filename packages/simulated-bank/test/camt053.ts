import { SaxesParser } from 'saxes'

/** An element of a parsed document. */
export interface Node {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Node[]
  text: string
}

/** Parses XML; throws where it is not well-formed. */
export function parseXml(xml: string): Node {
  const root: Node = { name: '', attributes: {}, children: [], text: '' }
  const path = [root]
  const parser = new SaxesParser()
  parser.on('error', error => {
    throw error
  })
  parser.on('opentag', tag => {
    const node = { name: tag.name, attributes: tag.attributes, children: [], text: '' }
    path.at(-1)?.children.push(node)
    path.push(node)
  })
  parser.on('text', text => {
    const node = path.at(-1)
    if (node) node.text += text
  })
  parser.on('closetag', () => path.pop())
  parser.write(xml).close()
  const document = root.children[0]
  if (!document) throw new Error('No document')
  return document
}

/** The elements at a path, `all(entry, 'NtryDtls/TxDtls')`. */
export function all(node: Node, path: string): Node[] {
  return path
    .split('/')
    .reduce<Node[]>(
      (nodes, name) => nodes.flatMap(one => one.children.filter(child => child.name === name)),
      [node],
    )
}

/** The text of the one element at a path; undefined where there is none. */
export function textAt(node: Node, path: string): string | undefined {
  const found = all(node, path)
  if (found.length > 1) throw new Error(`${path} is there ${found.length} times`)
  return found[0]?.text
}

/** The amount of an element in minor units, signed by its credit or debit mark. */
export function signedAmount(node: Node): bigint {
  const size = minorUnits(textAt(node, 'Amt') ?? '')
  return textAt(node, 'CdtDbtInd') === 'DBIT' ? -size : size
}

/** `12.34` in minor units. */
export function minorUnits(decimal: string): bigint {
  return BigInt(decimal.replace('.', ''))
}

/** The order of elements that ISO 20022 demands in camt.053.001.08, for what this bank prints. */
export const SEQUENCES: Readonly<Record<string, readonly string[]>> = {
  BkToCstmrStmt: ['GrpHdr', 'Stmt'],
  GrpHdr: ['MsgId', 'CreDtTm'],
  Stmt: ['Id', 'ElctrncSeqNb', 'CreDtTm', 'FrToDt', 'Acct', 'Bal', 'TxsSummry', 'Ntry'],
  FrToDt: ['FrDtTm', 'ToDtTm'],
  Acct: ['Id', 'Ccy', 'Ownr'],
  Bal: ['Tp', 'Amt', 'CdtDbtInd', 'Dt'],
  TxsSummry: ['TtlNtries', 'TtlCdtNtries', 'TtlDbtNtries'],
  TtlNtries: ['NbOfNtries', 'Sum'],
  Ntry: [
    'Amt',
    'CdtDbtInd',
    'Sts',
    'BookgDt',
    'ValDt',
    'AcctSvcrRef',
    'BkTxCd',
    'NtryDtls',
    'AddtlNtryInf',
  ],
  TxDtls: ['Refs', 'Amt', 'CdtDbtInd', 'RltdPties', 'RtrInf'],
  Refs: ['AcctSvcrRef', 'EndToEndId'],
  RltdPties: ['Dbtr', 'DbtrAcct', 'Cdtr', 'CdtrAcct'],
  RtrInf: ['OrgnlBkTxCd', 'Rsn'],
  Domn: ['Cd', 'Fmly'],
  Fmly: ['Cd', 'SubFmlyCd'],
}

/** Every element whose children are unknown or out of the order of {@link SEQUENCES}. */
export function outOfOrder(node: Node): string[] {
  const order = SEQUENCES[node.name]
  const places = node.children.map(child => order?.indexOf(child.name) ?? 0)
  const sorted = places.every((place, n) => place >= 0 && place >= (places[n - 1] ?? 0))
  return [...(sorted ? [] : [node.name]), ...node.children.flatMap(outOfOrder)]
}
