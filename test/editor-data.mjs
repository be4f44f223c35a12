/**
 * What editors and JSX know of the elements, made of the manifest: web-types for JetBrains' editors, custom data for VS Code
 * (https://github.com/microsoft/vscode-custom-data), and types of the tags for TSX.
 */

const elementsOf = ({modules}) => modules.flatMap(({declarations}) => declarations);
const described = ({name, description}) => ({name, description});
/** The values a type names; any other may be allowed beside them. */
const valuesOf = ({type}) => [...(type?.text ?? '').matchAll(/'([\w-]+)'/g)].map(([, name]) => ({name}));

/** See https://github.com/JetBrains/web-types. */
export const webTypes = (manifest, {name, version}) => ({
  $schema: 'https://raw.githubusercontent.com/JetBrains/web-types/master/schema/web-types.json',
  name,
  version,
  'description-markup': 'markdown',
  contributions: {
    html: {
      elements: elementsOf(manifest).map((element) => ({
        name: element.tagName,
        description: element.description,
        attributes: element.attributes.map((attribute) => ({
          ...described(attribute),
          value: {type: attribute.type?.text ?? 'string'},
        })),
        slots: (element.slots ?? []).map(described),
        js: {
          properties: fieldsOf(element).map((field) => ({...described(field), type: field.type?.text})),
          events: (element.events ?? []).map(described),
        },
        css: {
          parts: (element.cssParts ?? []).map(described),
          properties: (element.cssProperties ?? []).map(described),
        },
      })),
    },
  },
});

/** What `html.customData` of VS Code names. */
export const htmlData = (manifest) => ({
  version: 1.1,
  tags: elementsOf(manifest).map(({tagName, description, attributes}) => ({
    name: tagName,
    description: {kind: 'markdown', value: description},
    attributes: attributes.map((attribute) => ({
      ...described(attribute),
      ...(valuesOf(attribute).length > 0 && {values: valuesOf(attribute)}),
    })),
  })),
});

/** What `css.customData` of VS Code names. */
export function cssData(manifest) {
  const properties = new Map(
    elementsOf(manifest).flatMap(({cssProperties = []}) =>
      cssProperties.map((property) => [property.name, described(property)]),
    ),
  );
  return {version: 1.1, properties: [...properties.values()]};
}

/** A library of JSX adds it to its own names of tags. */
export const jsxTypes = (manifest) => `/** Tags in TSX. Written by the build. */
import type * as elements from './index.js';

/** What a library of JSX knows of every tag, such as \`ref\`, \`class\` and \`children\`. */
interface Others {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  [name: string]: any;
}

/**
 * The tags, and what each takes. A page adds them to those that its library knows:
 * \`declare module 'react' { namespace JSX { interface IntrinsicElements extends HermesElementsJsx {} } }\`.
 */
export interface HermesElementsJsx {
${elementsOf(manifest).map(tagType).join('\n')}
}
`;

function tagType(element) {
  const {name, tagName, description, attributes, events = []} = element;
  const taken = [
    ...fieldsOf(element).map((field) => [field.name, `elements.${name}['${field.name}'] | undefined`, field]),
    ...attributes
      .filter((attribute) => attribute.fieldName && attribute.fieldName !== attribute.name)
      .map((attribute) => [
        attribute.name,
        `elements.${name}['${attribute.fieldName}'] | undefined`,
        attribute,
      ]),
    ...events.map((event) => [
      `on${event.name}`,
      `((event: elements.${event.type.text}) => void) | undefined`,
      event,
    ]),
  ];
  const lines = taken.map(
    ([key, type, {description}]) => `${comment(description, '    ')}    '${key}'?: ${type};`,
  );
  return `${comment(description, '  ')}  '${tagName}': Others & {\n${lines.join('\n')}\n  };`;
}

/** What a page may set. */
const fieldsOf = ({members}) => members.filter(({kind, readonly}) => kind === 'field' && !readonly);

const comment = (text = '', indent) =>
  `${indent}/** ${text.replace(/\*\//g, '*\u200B/').split('\n').join(`\n${indent} * `)} */\n`.replace(
    / +\n/g,
    '\n',
  );
